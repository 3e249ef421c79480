import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import type { BuildAsked, BuildFacts } from '../../../../rules/build/facts.ts';
import { known } from '../../../../rules/fact.ts';
import { apply } from '../../../../runtime/step/apply.ts';
import { buildController } from '../../../../runtime/controllers/build/controller.ts';
import { historyOf } from '../../../../runtime/step/history.ts';
import { nothingCached as nothing } from '../../../support/nothingCached.ts';
import { step } from '../../../../runtime/step/step.ts';
import { movedFrom, enterExternal } from '../../../../runtime/step/externalChange.ts';
import { schemaAt } from '../../../crds/served.ts';
import { manualReset } from '../../../support/reset.ts';
import { times } from '../../../support/share.ts';
import { suite } from '../../../support/suite.ts';
import { userBuild } from '../../../support/environment.ts';
import { fine, knownFacts } from '../../../lifecycles/build/facts.ts';

const settings = { builderImage: 'b', gitImage: 'g', gitUrl: 'https://git.example' };
const found = buildController(settings).lifecycles[0];
if (!found) throw new Error('a build has a lifecycle');
const lifecycle = found;

/** The phases that each phase may lead to, transcribed from the documents; any may be reset to Pending. */
const legal: Readonly<Record<string, readonly string[]>> = {
  Pending: ['Pending', 'WaitingForCI', 'Running', 'Failed', 'Cancelled'],
  WaitingForCI: ['WaitingForCI', 'Pending', 'Running', 'Failed', 'Cancelled'],
  Running: ['Running', 'Pending', 'Succeeded', 'Failed', 'Cancelled'],
  Succeeded: ['Succeeded', 'Pending'],
  Failed: ['Failed', 'Pending', 'WaitingForCI', 'Running'],
  Cancelled: ['Cancelled', 'Pending'],
};

type Happening =
  | { readonly is: 'pass'; readonly facts: BuildFacts; readonly later: number }
  | { readonly is: 'command'; readonly asked: BuildAsked }
  | { readonly is: 'reset'; readonly keepsCommit: boolean };

const later = fc.constantFrom(-5_000, 0, 1, 15_000);
/** Nothing hinders the build; how the Job ends is left open. */
const wellFacts = knownFacts.map((facts) => ({ ...facts, connection: fine.connection, commit: fine.commit }));
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ is: fc.constant('pass' as const), facts: wellFacts, later }) },
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constant('pass' as const),
      facts: knownFacts,
      later,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('command' as const),
      asked: fc.constantFrom<BuildAsked>(
        { is: 'push', what: 'pushed', head: '', delivery: '', over: null },
        { is: 'rebuild' },
        { is: 'cancel' },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('reset' as const), keepsCommit: fc.boolean() }) },
);

/** Generated facts with this run mean the build's own run. */
const ownRun = fine.run;

/** The generated facts from outside, put over what the build itself says. */
const factsOf = (build: CoreBuild, facts: BuildFacts, now: number): BuildFacts => {
  const observed = lifecycle.observe(build, nothing, {
    now,
    resetFrom: null,
    others: {},
    failure: null,
  }) as unknown as BuildFacts;
  const { connection, commit, checks, digest, log } = facts;
  const isOwn = facts.job.is === 'known' && facts.job.value.is === 'present' && facts.job.value.run === ownRun;
  const job = isOwn ? known({ ...facts.job.value, run: observed.run ?? '' }) : facts.job;
  return { ...observed, connection, commit, checks: observed.waitForCI ? checks : observed.checks, job, digest, log };
};

const entered = (build: CoreBuild, now: number) => {
  const from = movedFrom(lifecycle, build);
  const working =
    from === null
      ? build
      : (enterExternal(lifecycle, build, { from, now, others: {}, reader: nothing }).object as CoreBuild);
  return { from, working };
};

/** One step over the given facts: a pass, or a command. */
function stepped(build: CoreBuild, facts: BuildFacts, by: string): CoreBuild {
  const taken = step(lifecycle, lifecycle.read(build), facts);
  if (taken.is === 'refused') throw new Error(taken.refusal.message);
  if (taken.is === 'undecided') return build;
  return apply(lifecycle, build, taken.move, { by, facts, reader: nothing }) as CoreBuild;
}

/** One pass through the pure core. */
function pass(build: CoreBuild, facts: BuildFacts): CoreBuild {
  const { from, working } = entered(build, facts.now);
  const judged = { ...factsOf(working, facts, facts.now), resetFrom: from, asked: null, found: null };
  return stepped(working, judged, 'operator');
}

function command(build: CoreBuild, asked: BuildAsked, now: number): CoreBuild {
  const { working } = entered(build, now);
  const moved = stepped(working, { ...factsOf(working, fine, now), asked, found: null }, 'admin');
  return moved === working ? build : moved;
}

/** The documented manual reset: a patch of the status and nothing else; it may keep the commit. */
const reset = (build: CoreBuild, keepsCommit: boolean): CoreBuild => {
  const { imageDigest: _, startedAt: __, completedAt: ___, ...status } = { ...build.status, ...manualReset };
  const sourceRevision = keepsCommit ? (build.status?.sourceRevision ?? '') : status.sourceRevision;
  return { ...build, status: { ...status, sourceRevision } };
};

const specs = fc.record({
  waitForCI: fc.boolean(),
  connectionRef: fc.constant({ name: 'host' }),
  revision: fc.constantFrom('', 'a'.repeat(40)),
  registry: fc.oneof({ weight: 6, arbitrary: fc.constant('r/a') }, fc.constant('')),
});
const start = Date.UTC(2027, 0, 1);

/** Walks a build through events, and shows each version to a judge with the one before it. */
function walk(
  spec: Partial<CoreBuild['spec']>,
  happenings: readonly Happening[],
  check: (before: CoreBuild, after: CoreBuild, what: Happening) => void,
): CoreBuild {
  let build = userBuild('b', spec);
  let now = start;
  for (const what of happenings) {
    const before = build;
    if (what.is === 'pass') {
      now = Math.max(start, now + what.later);
      build = pass(build, { ...what.facts, now });
    } else build = what.is === 'reset' ? reset(build, what.keepsCommit) : command(build, what.asked, now);
    check(before, build, what);
  }
  return build;
}

const phaseOf = ({ status }: CoreBuild) => status?.phase || 'Pending';
const holdsAlways = (check: Parameters<typeof walk>[2], numRuns = times(1_500, 400)) =>
  fc.assert(
    fc.property(specs, fc.array(happening, { maxLength: 40, size: 'max' }), (spec, happenings) => {
      walk(spec, happenings, check);
    }),
    { numRuns },
  );

const spec = suite('build walks');

spec('a build makes only documented transitions, whatever happens', () => {
  const met = new Set<string>();
  holdsAlways((before, after) => {
    const [from, to] = [phaseOf(before), phaseOf(after)];
    met.add(`${from} ${to}`);
    assert.ok(to === 'Pending' || legal[from]?.includes(to), `${from} → ${to}`);
  });
  const all = Object.entries(legal).flatMap(([from, targets]) => targets.map((to) => `${from} ${to}`));
  assert.equal(
    all.filter((pair) => !met.has(pair)),
    [],
    'the walks never went there',
  );
});

spec(
  'BLD-062 BLD-074 BLD-075 only a successful build has a digest and a completion time, those of its claimed run',
  () => {
    const runOfDigest = new WeakMap<KubeObject, string>();
    holdsAlways((before, after) => {
      const { phase, imageDigest, completedAt, startedAt } = after.status ?? {};
      if (phase !== 'Succeeded') {
        assert.is(imageDigest, undefined);
        assert.is(completedAt, undefined);
        return;
      }
      assert.ok(imageDigest && completedAt && startedAt);
      assert.is(startedAt, before.status?.startedAt, 'a run that succeeds is the one that ran');
      if (before.status?.phase === 'Succeeded') assert.is(runOfDigest.get(before), startedAt);
      runOfDigest.set(after, startedAt ?? '');
    });
  },
);

spec('BLD-065 BLD-103 a push and a rebuild clear all results of the last run', () => {
  holdsAlways((_, { status }, what) => {
    if (what.is !== 'command' || what.asked.is === 'cancel') return;
    const { phase = 'Pending', history: _history, image: _image, head: _head, ...left } = status ?? {};
    assert.is(phase, 'Pending');
    assert.equal(left, {});
  }, 500);
});

spec('BLD-107 BLD-109 a manual reset voids the run, and its kept commit is built in another run', () => {
  const left = new Map<boolean, number>();
  holdsAlways((before, after, what) => {
    if (what.is !== 'pass' || movedFrom(lifecycle, before) === null) return;
    const told = historyOf(after).filter(({ seq }) => seq > (historyOf(before).at(-1)?.seq ?? 0));
    assert.is(told[0]?.event, 'resetFound');
    assert.not.ok(told.some(({ event }) => event === 'movedOutside'));
    const { imageDigest, completedAt, retryCount, sourceRevision } = after.status ?? {};
    assert.equal([imageDigest, completedAt, retryCount], [undefined, undefined, undefined]);
    const kept = before.status?.sourceRevision ?? '';
    left.set(kept !== '', (left.get(kept !== '') ?? 0) + 1);
    if (kept !== '') assert.is(sourceRevision, kept);
    else assert.ok(!sourceRevision || told.some(({ event }) => event === 'commitResolved'));
  }, 500);
  for (const kept of [true, false]) assert.ok((left.get(kept) ?? 0) > 10, `the walks hardly met ${kept}`);
});

spec('BLD-077 BLD-079 lastLogLine and conditions of a build are never written', () => {
  assert.is(schemaAt('corebuilds', 'status.lastLogLine').type, 'string');
  assert.is(schemaAt('corebuilds', 'status.conditions').type, 'array');
  holdsAlways((_, { status }) => {
    assert.equal([status?.lastLogLine, status?.conditions], [undefined, undefined]);
  }, 300);
});

spec('every run is later than the one before, also when the clock is set back', () => {
  fc.assert(
    fc.property(specs, fc.array(happening, { maxLength: 60, size: 'max' }), (given, happenings) => {
      let newest = '';
      walk(given, happenings, (before, { status }) => {
        const run = status?.startedAt ?? '';
        if (run === '' || run === before.status?.startedAt) return;
        assert.ok(run > newest, `${run} after ${newest}`);
        newest = run;
      });
    }),
    { numRuns: times(500, 150) },
  );
});

spec('the history records every change of the state, in order, without gaps', () => {
  holdsAlways((before, after) => {
    const entries = historyOf(after);
    for (const [index, entry] of entries.entries()) {
      const last = entries[index - 1];
      if (last)
        assert.ok(entry.seq > last.seq && entry.at > last.at && (last.to === entry.from || entry.by === 'outside'));
    }
    if (lifecycle.read(before) !== lifecycle.read(after) && movedFrom(lifecycle, after) === null)
      assert.is(entries.at(-1)?.to, lifecycle.read(after));
  }, 500);
});

spec('a build converges from any state and stays there when all conditions are good', () => {
  fc.assert(
    fc.property(specs, fc.array(happening, { maxLength: 30, size: 'max' }), (given, happenings) => {
      let build = walk(given, happenings, () => {});
      const environment = (): BuildFacts => ({
        ...(lifecycle.observe(build, nothing, {
          now: start + 10_000_000,
          resetFrom: null,
          others: {},
          failure: null,
        }) as unknown as BuildFacts),
        connection: known('ready'),
        commit: known({ is: 'found', value: 'c'.repeat(40) }),
        checks: known({ is: 'found', value: [{ name: 'c', status: 'completed', conclusion: 'success' }] }),
        job: known(
          build.status?.phase === 'Running'
            ? { is: 'present', run: build.status.startedAt ?? '', outcome: 'succeeded', failedPods: 0 }
            : { is: 'absent' },
        ),
        digest: known(`sha256:${'d'.repeat(64)}`),
        log: known('settled'),
      });
      let passes = 0;
      for (let before: CoreBuild | null = null; before !== build; passes++) {
        assert.ok(passes < 12, `still moving in ${phaseOf(build)}`);
        before = build;
        build = pass(build, environment());
      }
      const rests = given.registry === '' ? ['Failed', 'Succeeded', 'Cancelled'] : ['Succeeded', 'Failed', 'Cancelled'];
      assert.ok(rests.includes(phaseOf(build)));
      if (lifecycle.read(build) === 'FailedBeforeJob') assert.is(given.registry, '');
    }),
    { numRuns: times(1_500, 400) },
  );
});

spec.run();
