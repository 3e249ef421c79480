import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { annotation } from '../../../crds/names.ts';
import { ActionFailed } from '../../../runtime/contract/lifecycle.ts';
import { CommandRejected } from '../../../runtime/contract/command.ts';
import { newestMove } from '../../../runtime/step/history.ts';
import { suite } from '../../support/suite.ts';
import { movesOf, plumbing } from './sampleController.ts';
import { away, conflict, failureOf, makeSampleEnvironment } from './sampleEnvironment.ts';

const spec = suite('several machines of one object');
const jam = new ActionFailed({ action: 'start', retry: 'counted', message: 'it jams' });
const openIt = { asked: 'open', by: 'kim' };

/** A sample whose first pass is over. */
async function built(told = plumbing(), open = false) {
  const environment = makeSampleEnvironment(told, { spec: { open } });
  await environment.look();
  await environment.look();
  environment.writes.length = 0;
  return environment;
}
const carried = (environment: ReturnType<typeof makeSampleEnvironment>) =>
  JSON.parse(environment.sample().metadata.annotations?.[annotation.move] ?? 'null') as Record<string, unknown> | null;

spec('the creation is the first move of each machine, and a pass is one write', async () => {
  const environment = makeSampleEnvironment(plumbing(), { spec: { open: true } });
  await environment.look();
  assert.equal(movesOf(environment.sample()), ['1 valve (none) Open outside', '2 pump (none) Idle operator']);
  assert.equal(environment.writes, ['status']);
});

spec(
  'a machine sees the new states of earlier machines and the old states of later ones in the same pass',
  async () => {
    const told = plumbing();
    const environment = await built(told, true);
    assert.is(environment.sample().status?.pump, 'Running');
    environment.edit(({ spec: before }) => ({ spec: { ...before, worn: true } }));
    told.states.length = 0;
    await environment.look();
    assert.equal(told.states.at(-1), {
      valve: { state: 'Closed', event: 'wornFound' },
      pump: { state: 'Running', event: null },
    });
    assert.equal(movesOf(environment.sample()).slice(-2), [
      '4 valve Open Closed operator',
      '5 pump Running Idle operator',
    ]);
    assert.equal(environment.writes, ['object', 'status']);
  },
);

spec('a command on state in the object is one patch with its move, then a write of the history', async () => {
  const environment = await built();
  const { uid } = environment.sample().metadata;
  await environment.ask(openIt);
  assert.equal(environment.writes, ['object', 'status']);
  assert.is(environment.sample().spec?.open, true);
  assert.is(movesOf(environment.sample()).at(-1), '3 valve Closed Open kim');
  const { machine, seq, from, to, by } = carried(environment) ?? {};
  assert.equal([carried(environment)?.['uid'], machine, seq, from, to, by], [uid, 'valve', 3, 'Closed', 'Open', 'kim']);
});

spec('the next pass records the pending move when the command died between its two writes', async () => {
  const environment = await built();
  environment.hooks.before = (write) => (write === 'status' ? away() : Effect.void);
  assert.is(failureOf(await environment.ask(openIt)), 'Unavailable');
  assert.is(environment.sample().spec?.open, true);
  environment.hooks.before = () => Effect.void;
  environment.later(60_000);
  await environment.look();
  assert.equal(movesOf(environment.sample()).slice(2), ['3 valve Closed Open kim', '4 pump Idle Running operator']);
  assert.is(environment.external.length, 0);
  const { text, params } = newestMove(environment.sample(), 'valve') ?? {};
  assert.equal([text, params], ['it was closed and opens', [{ name: 'state', value: 'closed', to: 'viewer', at: 7 }]]);
});

spec('an external change in between is entered after the move', async () => {
  const environment = await built();
  environment.hooks.before = (write) => (write === 'status' ? away() : Effect.void);
  await environment.ask(openIt);
  environment.hooks.before = () => Effect.void;
  environment.edit(({ spec: before }) => ({ spec: { ...before, open: false } }));
  await environment.look();
  assert.equal(movesOf(environment.sample()).slice(2), ['3 valve Closed Open kim', '4 valve Open Closed outside']);
});

spec('a command records its own move when the annotation was removed meanwhile', async () => {
  const environment = await built();
  let times = 0;
  environment.hooks.before = (write) =>
    Effect.suspend(() => {
      if (write !== 'status' || times++ > 0) return Effect.void;
      environment.edit(({ metadata }) => ({ metadata: { ...metadata, annotations: {} } }));
      return conflict();
    });
  assert.is(failureOf(await environment.ask(openIt)), '');
  assert.is(movesOf(environment.sample()).at(-1), '3 valve Closed Open kim');
  assert.is(carried(environment), null);
});

spec('a pending move is not recorded twice when a pass has recorded the move', async () => {
  const environment = await built();
  let times = 0;
  environment.hooks.before = (write) =>
    Effect.suspend(() => {
      if (write !== 'status' || times++ > 0) return Effect.void;
      // The leader's pass writes between the command's patch and its status.
      return Effect.promise(() => environment.look()).pipe(Effect.andThen(conflict()));
    });
  await environment.ask(openIt);
  assert.equal(movesOf(environment.sample()).slice(2), ['3 valve Closed Open kim', '4 pump Idle Running operator']);
});

spec('an annotation of another object, of an older move or without a valid move is ignored', async () => {
  const environment = await built();
  await environment.ask(openIt);
  const stale = environment.sample().metadata.annotations ?? {};
  await environment.look();
  await environment.ask({ asked: 'close', by: 'kim' });
  await environment.look();
  const told = movesOf(environment.sample());
  for (const text of [
    stale[annotation.move] ?? '',
    JSON.stringify({ ...carried(environment), uid: 'another', seq: 90 }),
    JSON.stringify({
      ...carried(environment),
      seq: 90,
      params: [{ name: 'state', value: 'closed', to: 'anybody', at: 7 }],
    }),
    JSON.stringify({ uid: environment.sample().metadata.uid, seq: 'x' }),
    '{',
  ]) {
    environment.edit(({ metadata }) => ({ metadata: { ...metadata, annotations: { [annotation.move]: text } } }));
    await environment.look();
    assert.equal(movesOf(environment.sample()), told);
  }
});

spec('a state is patched only when the history is synced with it', async () => {
  const environment = await built();
  environment.edit(({ spec: before }) => ({ spec: { ...before, open: true } }));
  await environment.ask({ asked: 'close', by: 'kim' });
  assert.equal(environment.writes, ['status', 'object', 'status']);
  assert.equal(movesOf(environment.sample()).slice(2), ['3 valve Closed Open outside', '4 valve Open Closed kim']);
});

spec('the pending move of a creation has no uid until the write that adds the finalizer', async () => {
  const move = {
    seq: 1,
    machine: 'valve',
    from: '(none)',
    event: 'openFound',
    to: 'Open',
    by: 'kim',
    at: '2026-12-31T00:00:00.000Z',
    text: 'made',
  };
  const environment = makeSampleEnvironment(plumbing(), {
    metadata: { name: 'mill', annotations: { [annotation.move]: JSON.stringify(move) } },
    spec: { open: true },
  });
  await environment.look();
  assert.is(carried(environment)?.['uid'], environment.sample().metadata.uid);
  assert.is(movesOf(environment.sample())[0], '1 valve (none) Open kim');
  assert.equal(environment.writes, ['object', 'status']);
});

spec('all machines decide once more, with the failure as a fact, when an action fails', async () => {
  let starts = 0;
  const start = Effect.suspend(() => (starts++, Effect.fail(jam)));
  const environment = await built(plumbing({ start }), true);
  assert.is(starts, 1);
  assert.is(movesOf(environment.sample()).at(-1), '3 pump Idle Idle operator');
  assert.is(environment.sample().status?.jams, 1);
});

spec('the moves of other machines are recorded and the pass fails when one machine fails', async () => {
  const drain = Effect.fail(new ActionFailed({ action: 'drain', retry: 'waiting', message: 'clogged' }));
  const environment = await built(plumbing({ drain }), true);
  environment.deleteIt();
  assert.is(failureOf(await environment.look()), 'ActionFailed');
  assert.equal(environment.archived, []);
  assert.ok(environment.standing());
});

spec('a deletion ends with a status write, the journal, and then the removal of the finalizer', async () => {
  const environment = await built(plumbing(), true);
  environment.deleteIt();
  await environment.look();
  assert.equal(environment.writes, ['status', 'object']);
  assert.is(movesOf(environment.archived[0] ?? environment.sample()).at(-1), '4 pump Running (deleted) operator');
  assert.equal(environment.standing()?.metadata.finalizers ?? [], []);
});

spec('a crash before the removal of the finalizer repeats the end and records no move twice', async () => {
  const environment = await built(plumbing(), true);
  environment.deleteIt();
  environment.hooks.before = (write) => (write === 'object' ? away() : Effect.void);
  assert.is(failureOf(await environment.look()), 'Unavailable');
  environment.hooks.before = () => Effect.void;
  await environment.look();
  assert.equal(
    environment.archived.map((sample) => movesOf(sample).filter((move) => move.includes('(deleted)'))),
    [['4 pump Running (deleted) operator'], ['4 pump Running (deleted) operator']],
  );
});

spec('a command on a terminating object is refused as deleting and writes nothing', async () => {
  const environment = await built();
  environment.deleteIt();
  const result = await environment.ask(openIt);
  assert.ok(result._tag === 'Failure' && result.failure instanceof CommandRejected && result.failure.isDeleting);
  assert.equal(environment.writes, []);
});

spec('no pass follows when a user removed the finalizer of a terminating object', async () => {
  const environment = await built();
  environment.deleteIt();
  environment.edit(({ metadata }) => ({ metadata: { ...metadata, finalizers: ['other'] } }));
  await environment.look();
  assert.equal([environment.writes, environment.archived], [[], []]);
});

spec.run();
