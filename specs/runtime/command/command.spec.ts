import { Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import { historyOf } from '../../../runtime/step/history.ts';
import { command as carryOut, expectAnswer } from '../../../runtime/command/command.ts';
import { Cluster, type ClusterShape, Conflict } from '../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../support/suite.ts';
import { type Door, doing, makeHouse } from '../pass/door.ts';

const spec = suite('command');
const command = { asked: 'open', by: 'ada' };

/** Sends one command to one door, with some writes refused because another one came between. */
function ask(house: ReturnType<typeof makeHouse>, asked = command, conflicts = 0) {
  let left = conflicts;
  let tries = 0;
  const [lifecycle] = house.controller.lifecycles;
  if (!lifecycle) throw new Error('no lifecycle');
  const front = { controller: house.controller, lifecycle, name: 'front' };
  const busy = (cluster: ClusterShape): ClusterShape => ({
    ...cluster,
    patchStatus: (...given) => {
      tries++;
      return left-- > 0 ? Effect.fail(new Conflict({ what: 'door' })) : cluster.patchStatus(...given);
    },
  });
  const moving = Effect.flatMap(Cluster, (cluster) =>
    expectAnswer(front, asked, carryOut(front, asked, house.context)).pipe(
      Effect.provideService(Cluster, busy(cluster)),
    ),
  );
  return Effect.map(moving, (door) => door as Door)
    .pipe(house.run)
    .then((result) => ({ result, tries }));
}

spec('a command writes the state and who asked for it, once, and does nothing else', async () => {
  const house = makeHouse(doing({ turn: Effect.die('a command has no effect') }));
  const { result } = await ask(house);
  assert.ok(Result.isSuccess(result));
  assert.equal(result.success, house.door());
  assert.is(house.door().status?.phase, 'Open');
  assert.equal(
    historyOf(house.door()).map(({ from, event, to, by, text, rule }) => [from, event, to, by, text, rule]),
    [['Shut', 'openAsked', 'Open', 'ada', 'let me in', 'open-asked']],
  );
  assert.equal(house.writes, ['status']);
});

spec('a command that nothing answers is refused with its name and without a state, and writes nothing', async () => {
  const house = makeHouse(doing(), { phase: 'Open' });
  const { result } = await ask(house);
  assert.ok(Result.isFailure(result));
  assert.is(
    JSON.stringify(result.failure),
    JSON.stringify({
      machine: 'door',
      name: 'front',
      command: 'open',
      isDeleting: false,
      says: '',
      _tag: 'CommandRejected',
    }),
  );
  assert.equal(house.writes, []);
});

spec('a conflicting write makes it read and decide again', async () => {
  const house = makeHouse(doing());
  const { result, tries } = await ask(house, command, 4);
  assert.ok(Result.isSuccess(result));
  assert.is(tries, 5);
  assert.is(historyOf(house.door()).length, 1);
});

spec('a thing that is not there is not found', async () => {
  const house = makeHouse(doing());
  house.cluster.drop(house.controller.resource, 'front');
  const { result } = await ask(house);
  assert.ok(Result.isFailure(result) && result.failure._tag === 'NotFound');
});

spec('an earlier external change is entered first, in the same write', async () => {
  const opened = {
    seq: 1,
    machine: 'door',
    from: 'Shut',
    event: 'opened',
    to: 'Open',
    by: 'operator',
    at: '2026-12-31T00:00:00.000Z',
    text: '',
  };
  const house = makeHouse(doing(), { phase: 'Shut', key: 'k', history: [opened] });
  await ask(house);
  assert.equal(
    historyOf(house.door()).map(({ event }) => event),
    ['opened', 'shutFound', 'openAsked'],
  );
  assert.is(house.door().status?.key, undefined);
  assert.equal(house.writes, ['status']);
});

spec.run();
