import { Clock, Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreProject, PullRequestEntry } from '../../../../crds/coreProject.ts';
import type { GitAnswer } from '../../../../rules/gitAnswer.ts';
import { missedEvent, openPullRequests, pullRequestCheckMs } from '../../../../rules/pullRequestEnvironment/missed.ts';
import { msOf } from '../../../../rules/time.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { connections, projects } from '../../../services/cluster/kinds.ts';
import type { MoveOther } from '../../../contract/command.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import { GitHost } from '../../../services/gitHost.ts';
import { secretText } from '../../../services/secretText.ts';
import type { Ensure, Ensured, Ensuring } from '../../../contract/ensure.ts';

/** ms per project over which the first checks of a leadership are spread. */
const apartMs = 250;
const firstWithinMs = (reader: CacheReader) => Math.min(pullRequestCheckMs, reader.list(projects).length * apartMs);

/** When the first of these is due for a check. */
const dueAt = (open: readonly PullRequestEntry[]): number =>
  Math.min(...open.map(({ openedAt = '' }) => msOf(openedAt) + pullRequestCheckMs));

const openIn = ({ status }: CoreProject) => openPullRequests(status?.pullRequests ?? []);

const deliver = (project: CoreProject, { environment: item }: PullRequestEntry, move: MoveOther) => {
  const instance = { kind: projects.kind, machine: 'pullRequestEnvironment', name: project.metadata.name, item };
  return (asked: NonNullable<ReturnType<typeof missedEvent>>) =>
    Effect.catchTag(
      Effect.asVoid(move(instance, { asked, by: 'operator' })),
      // The event arrived after all.
      'CommandRejected',
      () => Effect.void,
    );
};

const waitOf = (answer: GitAnswer<unknown>, now: number): number =>
  answer.is === 'limited' ? Math.max(answer.until - now, 0) : 0;

/** Checks one pull request and makes up for a missed event; returns the time until a rate limit ends. */
const checked = Effect.fnUntraced(function* (
  { object: project, reader, move }: Ensuring<CoreProject>,
  entry: PullRequestEntry,
) {
  const connection = reader.get(connections, project.spec.gitConnectionRef?.name ?? '')?.spec;
  const token = secretText(reader.get(secrets, connection?.secretRef.name ?? ''), 'token');
  const host = yield* GitHost;
  const answer = yield* host.pullRequest(token, entry.repository, entry.number);
  const missed = missedEvent(entry, answer, connection?.installationID ?? 0);
  if (missed !== null) yield* deliver(project, entry, move)(missed);
  return waitOf(answer, yield* Clock.currentTimeMillis);
});

/**
 * Checks open pull requests periodically, because the Git host sends each event only once: a lost close or push takes
 * effect, too.
 */
export const pullRequestsFollowed = (): Ensure<CoreProject> => ({
  schedule: {
    firstMs: 5_000,
    maxMs: pullRequestCheckMs,
    poll: { firstWithinMs, applies: (project) => openIn(project).length > 0 },
  },
  run: (given) =>
    Effect.gen(function* () {
      const open = openIn(given.object);
      const now = yield* Clock.currentTimeMillis;
      const early = dueAt(open) - now;
      if (early > 0) return { is: 'waits', afterMs: early } satisfies Ensured;
      const limits = yield* eachOf(open, (entry) => checked(given, entry));
      return { is: 'waits', afterMs: Math.max(pullRequestCheckMs, ...limits) } satisfies Ensured;
    }),
});
