import { Clock, Effect } from 'effect';
import type { CoreApp } from '../../../../crds/coreApp.ts';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { type BranchFacts, branchCheckMs, branchRules } from '../../../../rules/app/branch.ts';
import type { BuildAsked } from '../../../../rules/build/facts.ts';
import { foundPush, knownHead } from '../../../../rules/build/pushes.ts';
import { decide, requeueAfterMs } from '../../../../rules/engine.ts';
import { known, unasked } from '../../../../rules/fact.ts';
import type { GitAnswer } from '../../../../rules/gitAnswer.ts';
import { apps, builds } from '../../../services/cluster/kinds.ts';
import type { MoveOther } from '../../../contract/command.ts';
import type { Outside } from '../../../services/outside.ts';
import { shareOf } from '../../../pass/pace.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { askHead, connectionSeen } from '../../build/read.ts';
import { type Ensure, type Ensured, holds } from '../../../contract/ensure.ts';

/** ms per service over which the first requests for all services are spread. */
const apartMs = 250;
const maxFirstWithinMs = 10 * 60_000;
/** How long until a move by another writer reaches the cache. */
const heardWithinMs = 15_000;

const firstWithinMs = (reader: CacheReader) => Math.min(maxFirstWithinMs, reader.list(apps).length * apartMs);

const headKnownTo = ({ status }: CoreBuild) => knownHead({ head: status?.head ?? '' }, status?.sourceRevision ?? '');

const isOfBranch = ({ spec: { source } }: CoreApp) => source.git !== undefined && !source.git.commit;

function observe(app: CoreApp, build: CoreBuild, reader: CacheReader): BranchFacts {
  return {
    deployed: app.spec.deploy.enabled,
    ofBranch: isOfBranch(app),
    known: headKnownTo(build),
    connection: connectionSeen(build, reader),
    head: unasked,
  };
}

/** Options for following the branches of services. */
export interface FollowOptions {
  readonly gitUrl: string;
  /** The build of a service's current settings. */
  readonly buildOf: (app: CoreApp, reader: CacheReader) => CoreBuild | undefined;
}

type BranchCheck =
  | { readonly is: 'moved'; readonly head: string; readonly text: string }
  | { readonly is: 'stayed'; readonly requeueAfterMs: number | null };

/** Queries the Git host only when its answer matters. */
const checkBranch = Effect.fnUntraced(function* (
  facts: BranchFacts,
  ask: Effect.Effect<GitAnswer<string>, never, Outside>,
): Effect.fn.Return<BranchCheck, never, Outside> {
  const first = decide(branchRules, 'Followed', facts);
  const completed = first.is === 'ask' ? { ...facts, head: known(yield* ask) } : facts;
  const decision = decide(branchRules, 'Followed', completed);
  if (decision.is !== 'event') return { is: 'stayed', requeueAfterMs: null };
  const { rule } = decision;
  const answer = completed.head.is === 'known' ? completed.head.value : null;
  if (rule.then === 'headMoved' && answer?.is === 'found')
    return { is: 'moved', head: answer.value, text: rule.says(completed).text };
  const now = yield* Clock.currentTimeMillis;
  return { is: 'stayed', requeueAfterMs: rule.look ? requeueAfterMs(rule.look, completed, now) : null };
});

/** Restarts the build, like a push whose webhook was lost, unless another writer did. */
const start = (build: CoreBuild, { head, text }: { readonly head: string; readonly text: string }, move: MoveOther) => {
  const { name } = build.metadata;
  const asked: BuildAsked = { is: 'push', what: text, over: headKnownTo(build), ...foundPush(head) };
  return move({ kind: builds.kind, machine: 'build', name }, { asked, by: 'operator' }).pipe(
    Effect.as(branchCheckMs),
    // Another writer did it first.
    Effect.catchTag('CommandRejected', () => Effect.succeed(heardWithinMs)),
  );
};

/** Reads the head once per leadership and then periodically, so that a push without a webhook also starts the build. */
export function branchFollowed({ gitUrl, buildOf }: FollowOptions): Ensure<CoreApp> {
  return {
    schedule: {
      firstMs: 5_000,
      maxMs: branchCheckMs,
      poll: { firstWithinMs, applies: (app) => app.spec.deploy.enabled && isOfBranch(app) },
    },
    run: ({ object: app, reader, move }) =>
      Effect.gen(function* () {
        const build = buildOf(app, reader);
        if (!build) return holds;
        const check = yield* checkBranch(observe(app, build, reader), askHead(build, { reader, gitUrl }));
        if (check.is === 'moved') return waits(yield* start(build, check, move));
        if (check.requeueAfterMs === null) return holds;
        // Spreads services that wait for the end of the same rate limit.
        const apart = check.requeueAfterMs === branchCheckMs ? 0 : shareOf(app.metadata.name, firstWithinMs(reader));
        return waits(check.requeueAfterMs + apart);
      }),
  };
}

const waits = (afterMs: number): Ensured => ({ is: 'waits', afterMs });
