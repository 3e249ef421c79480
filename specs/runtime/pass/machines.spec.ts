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
const jam = new ActionFailed({ action: 'start', retry: 'counted', text: 'it jams' });
const openIt = { asked: 'open', by: 'kim' };

/** A sample whose first pass is over. */
async function built(told = plumbing(), open = false) {
  const world = makeSampleEnvironment(told, { spec: { open } });
  await world.look();
  await world.look();
  world.writes.length = 0;
  return world;
}
const carried = (world: ReturnType<typeof makeSampleEnvironment>) =>
  JSON.parse(world.sample().metadata.annotations?.[annotation.move] ?? 'null') as Record<string, unknown> | null;

spec('the creation is the first entry of each machine, and all of a pass is one write', async () => {
  const world = makeSampleEnvironment(plumbing(), { spec: { open: true } });
  await world.look();
  assert.equal(movesOf(world.sample()), ['1 valve (none) Open outside', '2 pump (none) Idle operator']);
  assert.equal(world.writes, ['status']);
});

spec(
  'a machine sees the new states of those before it in the same pass, and the old states of those after it',
  async () => {
    const told = plumbing();
    const world = await built(told, true);
    assert.is(world.sample().status?.pump, 'Running');
    world.edit(({ spec: before }) => ({ spec: { ...before, worn: true } }));
    told.states.length = 0;
    await world.look();
    assert.equal(told.states.at(-1), {
      valve: { state: 'Closed', event: 'wornFound' },
      pump: { state: 'Running', event: null },
    });
    assert.equal(movesOf(world.sample()).slice(-2), ['4 valve Open Closed operator', '5 pump Running Idle operator']);
    assert.equal(world.writes, ['object', 'status']);
  },
);

spec(
  'a command on a state in the object is one patch that carries the move, then the history, then the answer',
  async () => {
    const world = await built();
    const { uid } = world.sample().metadata;
    await world.ask(openIt);
    assert.equal(world.writes, ['object', 'status']);
    assert.is(world.sample().spec?.open, true);
    assert.is(movesOf(world.sample()).at(-1), '3 valve Closed Open kim');
    const { machine, seq, from, to, by } = carried(world) ?? {};
    assert.equal([carried(world)?.['uid'], machine, seq, from, to, by], [uid, 'valve', 3, 'Closed', 'Open', 'kim']);
  },
);

spec('a crash between the two writes loses nothing: the next writer enters the carried move', async () => {
  const world = await built();
  world.hooks.before = (write) => (write === 'status' ? away() : Effect.void);
  assert.is(failureOf(await world.ask(openIt)), 'Unavailable');
  assert.is(world.sample().spec?.open, true);
  world.hooks.before = () => Effect.void;
  world.later(60_000);
  await world.look();
  assert.equal(movesOf(world.sample()).slice(2), ['3 valve Closed Open kim', '4 pump Idle Running operator']);
  assert.is(world.external.length, 0);
  const { text, params } = newestMove(world.sample(), 'valve') ?? {};
  assert.equal([text, params], ['it was closed and opens', [{ name: 'state', value: 'closed', to: 'viewer', at: 7 }]]);
});

spec('an external change in between is entered after the move', async () => {
  const world = await built();
  world.hooks.before = (write) => (write === 'status' ? away() : Effect.void);
  await world.ask(openIt);
  world.hooks.before = () => Effect.void;
  world.edit(({ spec: before }) => ({ spec: { ...before, open: false } }));
  await world.look();
  assert.equal(movesOf(world.sample()).slice(2), ['3 valve Closed Open kim', '4 valve Open Closed outside']);
});

spec('if the annotation is removed meanwhile, the command enters its own move', async () => {
  const world = await built();
  let times = 0;
  world.hooks.before = (write) =>
    Effect.suspend(() => {
      if (write !== 'status' || times++ > 0) return Effect.void;
      world.edit(({ metadata }) => ({ metadata: { ...metadata, annotations: {} } }));
      return conflict();
    });
  assert.is(failureOf(await world.ask(openIt)), '');
  assert.is(movesOf(world.sample()).at(-1), '3 valve Closed Open kim');
  assert.is(carried(world), null);
});

spec('a move that others have entered already is not entered twice', async () => {
  const world = await built();
  let times = 0;
  world.hooks.before = (write) =>
    Effect.suspend(() => {
      if (write !== 'status' || times++ > 0) return Effect.void;
      // The leader's pass writes between the command's patch and its status.
      return Effect.promise(() => world.look()).pipe(Effect.andThen(conflict()));
    });
  await world.ask(openIt);
  assert.equal(movesOf(world.sample()).slice(2), ['3 valve Closed Open kim', '4 pump Idle Running operator']);
});

spec('an annotation of another life, of an older move, or that is no move at all says nothing', async () => {
  const world = await built();
  await world.ask(openIt);
  const stale = world.sample().metadata.annotations ?? {};
  await world.look();
  await world.ask({ asked: 'close', by: 'kim' });
  await world.look();
  const told = movesOf(world.sample());
  for (const text of [
    stale[annotation.move] ?? '',
    JSON.stringify({ ...carried(world), uid: 'another', seq: 90 }),
    JSON.stringify({ ...carried(world), seq: 90, params: [{ name: 'state', value: 'closed', to: 'anybody', at: 7 }] }),
    JSON.stringify({ uid: world.sample().metadata.uid, seq: 'x' }),
    '{',
  ]) {
    world.edit(({ metadata }) => ({ metadata: { ...metadata, annotations: { [annotation.move]: text } } }));
    await world.look();
    assert.equal(movesOf(world.sample()), told);
  }
});

spec('nobody patches a state while the history is behind: what is found is entered first', async () => {
  const world = await built();
  world.edit(({ spec: before }) => ({ spec: { ...before, open: true } }));
  await world.ask({ asked: 'close', by: 'kim' });
  assert.equal(world.writes, ['status', 'object', 'status']);
  assert.equal(movesOf(world.sample()).slice(2), ['3 valve Closed Open outside', '4 valve Open Closed kim']);
});

spec('the move of a creation knows no uid; the write that adds the finalizer stamps it', async () => {
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
  const world = makeSampleEnvironment(plumbing(), {
    metadata: { name: 'mill', annotations: { [annotation.move]: JSON.stringify(move) } },
    spec: { open: true },
  });
  await world.look();
  assert.is(carried(world)?.['uid'], world.sample().metadata.uid);
  assert.is(movesOf(world.sample())[0], '1 valve (none) Open kim');
  assert.equal(world.writes, ['object', 'status']);
});

spec('when an action fails all machines decide once more with the failure as a fact', async () => {
  let starts = 0;
  const start = Effect.suspend(() => (starts++, Effect.fail(jam)));
  const world = await built(plumbing({ start }), true);
  assert.is(starts, 1);
  assert.is(movesOf(world.sample()).at(-1), '3 pump Idle Idle operator');
  assert.is(world.sample().status?.jams, 1);
});

spec('where one machine fails for good, the moves of the others are recorded and the pass fails', async () => {
  const drain = Effect.fail(new ActionFailed({ action: 'drain', retry: 'waiting', text: 'clogged' }));
  const world = await built(plumbing({ drain }), true);
  world.deleteIt();
  assert.is(failureOf(await world.look()), 'ActionFailed');
  assert.equal(world.archived, []);
  assert.ok(world.standing());
});

spec(
  'the end of a life: a status write, the journal, then the finalizer over the version that was written',
  async () => {
    const world = await built(plumbing(), true);
    world.deleteIt();
    await world.look();
    assert.equal(world.writes, ['status', 'object']);
    assert.is(movesOf(world.archived[0] ?? world.sample()).at(-1), '4 pump Running (deleted) operator');
    assert.equal(world.standing()?.metadata.finalizers ?? [], []);
  },
);

spec('a crash before the finalizer is off ends the same life once more, and takes no move twice', async () => {
  const world = await built(plumbing(), true);
  world.deleteIt();
  world.hooks.before = (write) => (write === 'object' ? away() : Effect.void);
  assert.is(failureOf(await world.look()), 'Unavailable');
  world.hooks.before = () => Effect.void;
  await world.look();
  assert.equal(
    world.archived.map((sample) => movesOf(sample).filter((move) => move.includes('(deleted)'))),
    [['4 pump Running (deleted) operator'], ['4 pump Running (deleted) operator']],
  );
});

spec('a command on an object that is being deleted is refused in those words, and writes nothing', async () => {
  const world = await built();
  world.deleteIt();
  const result = await world.ask(openIt);
  assert.ok(result._tag === 'Failure' && result.failure instanceof CommandRejected && result.failure.isDeleting);
  assert.equal(world.writes, []);
});

spec('a finalizer that a hand took off ends the passes over the object', async () => {
  const world = await built();
  world.deleteIt();
  world.edit(({ metadata }) => ({ metadata: { ...metadata, finalizers: ['other'] } }));
  await world.look();
  assert.equal([world.writes, world.archived], [[], []]);
});

spec.run();
