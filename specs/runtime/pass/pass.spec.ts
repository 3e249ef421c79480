import { Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import { annotation } from '../../../crds/names.ts';
import { done, type Ensured, holds, ServiceFailed } from '../../../runtime/contract/ensure.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { Unavailable } from '../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../support/suite.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { userBuild, makeTestEnvironment } from '../../support/environment.ts';
import { cannot, type Toggle, doing, toggles, makeHouse, notRead, moved } from './toggle.ts';

const spec = suite('pass');
const ok = <A, E>(result: Result.Result<A, E>): A => {
  if (Result.isFailure(result)) throw new Error(`failed: ${JSON.stringify(result.failure)}`);
  return result.success;
};
const failureOf = <A>(result: Result.Result<A, { readonly _tag: string }>): string =>
  Result.isFailure(result) ? result.failure._tag : 'none';
const told = (toggle: Toggle) => historyOf(toggle).map(({ from, event, to, by }) => `${from} ${event} ${to} ${by}`);

spec('a pass with a claim writes twice, and stores the claim before its action runs', async () => {
  const at: (string | undefined)[] = [];
  const sample = makeHouse(
    doing({ turn: Effect.suspend(() => Effect.sync(() => void at.push(sample.toggle().status?.key))) }),
  );
  const { moves, requeueAfterMs, object } = ok(await sample.look());
  assert.equal(at, ['2027-01-01T00:00:00.000Z']);
  assert.equal(sample.writes, ['status', 'status']);
  assert.equal(told(sample.toggle()), ['Shut keyFound Shut operator', 'Shut opened Open operator']);
  assert.equal(
    moves.map(({ event }) => event),
    ['keyFound', 'opened'],
  );
  assert.is(requeueAfterMs, 5_000);
  assert.equal(object, sample.toggle());
});

spec('a claim of an earlier pass starts only over the stored object', async () => {
  let turned = 0;
  const turn = Effect.sync(() => void turned++);
  const claimed = { key: '2026-12-31T00:00:00.000Z', history: [moved('Shut')] };
  for (const [since, failure] of [
    ['nothing', 'none'],
    ['a write', 'Conflict'],
    ['its end', 'NotFound'],
  ] as const) {
    const sample = makeHouse(doing({ turn }), claimed);
    const reader = sample.toggle();
    if (since === 'a write') sample.cluster.put(toggles, { ...reader, status: { reason: 'voided by hand' } });
    if (since === 'its end') await Effect.runPromise(sample.cluster.remove(toggles, { name: 'front' }));
    turned = 0;
    assert.is(failureOf(await sample.look(reader)), failure, since);
    assert.is(turned, since === 'nothing' ? 1 : 0, since);
  }
});

spec('a pass without a due move makes no move and no write', async () => {
  const sample = makeHouse(doing(), { phase: 'Open', history: [moved('Open')] });
  const before = sample.toggle();
  for (let pass = 0; pass < 3; pass++) assert.equal(ok(await sample.look()).moves, []);
  assert.equal(sample.writes, []);
  assert.is(sample.toggle(), before);
});

spec('a self-loop that changes no field writes nothing and is requeued as its rule demands', async () => {
  const sample = makeHouse(doing({ locked: true }));
  const { moves, requeueAfterMs } = ok(await sample.look());
  assert.equal([moves, sample.writes, requeueAfterMs], [[], [], 7_000]);
  assert.is(sample.memory.decided.get('toggle')?.decision.is, 'event');
});

spec('a failed action is a fact, and only the decision over that fact is recorded', async () => {
  const sample = makeHouse(doing({ turn: Effect.fail(cannot('the key broke')) }));
  ok(await sample.look());
  assert.equal(told(sample.toggle()), ['Shut keyFound Shut operator', 'Shut jammed Jammed operator']);
  assert.is(sample.toggle().status?.reason, 'the key broke');
  assert.equal(sample.writes, ['status', 'status']);
});

spec('a pass that would repeat its failed action fails, and records only its claim', async () => {
  let turned = 0;
  const turn = Effect.suspend(() => (turned++, Effect.fail(cannot('the key broke'))));
  const sample = makeHouse(doing({ jams: false, turn }));
  assert.is(failureOf(await sample.look()), 'ActionFailed');
  assert.is(turned, 2);
  assert.equal(told(sample.toggle()), ['Shut keyFound Shut operator']);
});

spec('the ensures of a state run also when an action failed', async () => {
  let swept = 0;
  const sample = makeHouse(
    doing({ jams: false, turn: Effect.fail(cannot('x')), swept: { run: () => Effect.sync(() => (swept++, holds)) } }),
  );
  await sample.look();
  assert.is(swept, 1);
});

spec('a pass fails and moves nothing when a fact cannot be read', async () => {
  const sample = makeHouse(doing({ key: notRead }));
  assert.is(failureOf(await sample.look()), 'FactUnknown');
  assert.equal(sample.writes, []);
});

spec('a fact is requested at most once in a pass, and never when no rule needs it', async () => {
  const asking = doing();
  ok(await makeHouse(asking).look());
  assert.is(asking.asked, 1);
  const locked = doing({ locked: true });
  ok(await makeHouse(locked).look());
  assert.is(locked.asked, 0);
});

spec('a version older than the stored one is refused, and nothing is done', async () => {
  let turned = 0;
  const sample = makeHouse(doing({ turn: Effect.sync(() => void turned++) }));
  const old = sample.toggle();
  sample.cluster.put(toggles, { ...old, metadata: { ...old.metadata, labels: { new: 'yes' } } });
  assert.is(failureOf(await sample.look(old)), 'Conflict');
  assert.is(turned, 0);
  assert.equal(told(sample.toggle()), []);
});

for (const strays of ['flewAway', 'blownAway'] as const)
  spec(`an event without an arrow in machine and table fails the pass and moves nothing: ${strays}`, async () => {
    const sample = makeHouse(doing({ strays }), { phase: 'Open', history: [moved('Open')] });
    assert.is(failureOf(await sample.look()), 'InvalidTransition');
    assert.equal(sample.writes, []);
  });

spec('an external change that the table allows is entered, with all actions of its arrow', async () => {
  const sample = makeHouse(doing({ locked: true }), { phase: 'Shut', key: 'k', reason: 'r', history: [moved('Open')] });
  ok(await sample.look());
  assert.equal(told(sample.toggle()).slice(1), ['Open shutFound Shut outside']);
  assert.equal([sample.toggle().status?.key, sample.toggle().status?.reason], [undefined, undefined]);
  assert.equal(sample.writes, ['status']);
  assert.equal(sample.external, []);
});

spec('an external change without an arrow is reported, counted once and not reverted', async () => {
  const sample = makeHouse(doing(), { phase: 'Jammed', history: [moved('Open')] });
  for (let pass = 0; pass < 3; pass++) ok(await sample.look());
  assert.equal(told(sample.toggle()).slice(1), ['Open movedOutside Jammed outside']);
  assert.equal(sample.external, ['Open Jammed']);
  assert.is(sample.toggle().status?.phase, 'Jammed');
  assert.equal(sample.writes, ['status']);
});

spec('decision 145: a paused object is observed and not moved', async () => {
  let swept = 0;
  const sample = makeHouse(doing({ swept: { run: () => Effect.sync(() => (swept++, holds)) } }));
  const toggle = sample.toggle();
  sample.cluster.put(toggles, {
    ...toggle,
    metadata: { ...toggle.metadata, annotations: { [annotation.paused]: 'true' } },
  });
  assert.equal(ok(await sample.look()), { object: sample.toggle(), moves: [], requeueAfterMs: null });
  assert.equal([sample.writes, swept], [[], 0]);
  assert.is(sample.memory.decided.get('toggle')?.decision.is, 'event');
});

spec('derived fields are recorded in the same write as the move', async () => {
  const sample = makeHouse(doing({ warm: true, locked: true }));
  ok(await sample.look());
  assert.equal([sample.toggle().status?.warm, sample.writes], [true, ['status']]);
  ok(await sample.look());
  assert.equal(sample.writes, ['status']);
});

spec('ensures run after the record, know the entered state, and requeue the pass after an effect', async () => {
  const reader: unknown[] = [];
  const sample = makeHouse(
    doing({
      lit: {
        run: ({ object, entered }) =>
          Effect.sync(() => {
            reader.push([sample.toggle().metadata.resourceVersion === object.metadata.resourceVersion, entered]);
            return reader.length === 1 ? done : holds;
          }),
      },
    }),
  );
  assert.is(ok(await sample.look()).requeueAfterMs, 0);
  assert.is(ok(await sample.look()).requeueAfterMs, null);
  assert.equal(reader, [
    [true, true],
    [true, false],
  ]);
});

spec('an ensure with a schedule backs off until it succeeds, and one without fails the pass', async () => {
  let failing = true;
  const run = () =>
    Effect.suspend(() =>
      failing ? Effect.fail(new ServiceFailed({ message: 'the bulb broke' })) : Effect.succeed(holds),
    );
  const lit = { run, schedule: { firstMs: 30_000, maxMs: 100_000 } };
  const sample = makeHouse(doing({ lit }), { phase: 'Open', history: [moved('Open')] });
  const looks: (number | null)[] = [];
  for (let pass = 0; pass < 4; pass++) looks.push(ok(await sample.look()).requeueAfterMs);
  assert.equal(looks, [30_000, 60_000, 100_000, 100_000]);
  assert.equal(sample.memory.ensures.get('lit'), { ensure: 'lit', count: 4, why: 'the bulb broke' });
  failing = false;
  assert.is(ok(await sample.look()).requeueAfterMs, null);
  assert.is(sample.memory.ensures.size, 0);

  failing = true;
  const strict = makeHouse(doing({ lit: { run } }), { phase: 'Open', history: [moved('Open')] });
  assert.is(failureOf(await strict.look()), 'ServiceFailed');
});

spec('a finalizer is added before anything else and removed by the last write after its release', async () => {
  let released: Ensured = done;
  const finalizer = { name: 'core.platform/toggle', release: { run: () => Effect.sync(() => released) } };
  const sample = makeHouse(doing(), undefined, finalizer);
  ok(await sample.look());
  assert.equal(
    [sample.toggle().metadata.finalizers, sample.writes],
    [['core.platform/toggle'], ['patch', 'status', 'status']],
  );
  sample.writes.length = 0;
  const toggle = sample.toggle();
  sample.cluster.put(toggles, {
    ...toggle,
    metadata: {
      ...toggle.metadata,
      deletionTimestamp: '2027-01-01T00:00:00Z',
      finalizers: ['other', 'core.platform/toggle'],
    },
  });
  assert.is(ok(await sample.look()).requeueAfterMs, 0);
  assert.equal(sample.writes, []);
  released = holds;
  ok(await sample.look());
  assert.equal([sample.toggle().metadata.finalizers, sample.writes], [['other'], ['journal', 'patch']]);
  assert.equal(ok(await sample.look()), { object: sample.toggle(), moves: [], requeueAfterMs: null });
  assert.is(sample.writes.length, 2);
});

spec('a release that fails keeps the finalizer', async () => {
  const release = { run: () => Effect.fail(new Unavailable({ message: 'down' })) };
  const sample = makeHouse(doing(), undefined, { name: 'f', release });
  const toggle = sample.toggle();
  sample.cluster.put(toggles, {
    ...toggle,
    metadata: { ...toggle.metadata, deletionTimestamp: 'now', finalizers: ['f'] },
  });
  assert.is(failureOf(await sample.look()), 'Unavailable');
  assert.equal(sample.toggle().metadata.finalizers, ['f']);
});

spec('BLD-185 decision 3: a reset after a cancel clears the cancel in the same write', async () => {
  const environment = makeTestEnvironment();
  const history = [{ ...moved('Cancelled'), machine: 'build', from: 'Running', event: 'cancelFound' }];
  environment.cluster.put(builds, userBuild('b', {}, { phase: 'Pending', cancelRequested: true, history }));
  const versions: (readonly [readonly string[], boolean | undefined])[] = [];
  const time = virtualTime();
  const gate = {
    through: () =>
      Effect.sync(() => {
        const build = environment.build('b') ?? userBuild('b');
        versions.push([historyOf(build).map(({ event }) => event), build.status?.cancelRequested]);
      }),
    close: () => {},
  };
  const operator = await time.wait(environment.start(gate, time.over(environment.services)));
  await time.settle();
  assert.is(environment.build('b')?.status?.phase, 'Running');
  await time.wait(operator.crash());
  const both = versions.find(([events]) => events.includes('resetFound'));
  assert.equal(both?.[0].slice(0, 3), ['cancelFound', 'resetFound', 'cancelSpent']);
  assert.is(both?.[1], undefined);
});

spec.run();
