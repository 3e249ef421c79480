import { Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import { historyOf } from '../../../runtime/step/history.ts';
import { command as carryOut, expectAnswer } from '../../../runtime/command/command.ts';
import { Cluster, type ClusterShape, Conflict } from '../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../support/suite.ts';
import { type Toggle, doing, makeHouse } from '../pass/toggle.ts';

const spec = suite('command');
const command = { asked: 'open', by: 'ada' };

/** Sends one command to one toggle, with some writes refused because another one came between. */
function ask(sample: ReturnType<typeof makeHouse>, asked = command, conflicts = 0) {
  let left = conflicts;
  let tries = 0;
  const [lifecycle] = sample.controller.lifecycles;
  if (!lifecycle) throw new Error('no lifecycle');
  const front = { controller: sample.controller, lifecycle, name: 'front' };
  const busy = (cluster: ClusterShape): ClusterShape => ({
    ...cluster,
    patchStatus: (...given) => {
      tries++;
      return left-- > 0 ? Effect.fail(new Conflict({ what: 'toggle' })) : cluster.patchStatus(...given);
    },
  });
  const moving = Effect.flatMap(Cluster, (cluster) =>
    expectAnswer(front, asked, carryOut(front, asked, sample.context)).pipe(
      Effect.provideService(Cluster, busy(cluster)),
    ),
  );
  return Effect.map(moving, (toggle) => toggle as Toggle)
    .pipe(sample.run)
    .then((result) => ({ result, tries }));
}

spec('a command writes the state and its user once and does nothing else', async () => {
  const sample = makeHouse(doing({ turn: Effect.die('a command has no effect') }));
  const { result } = await ask(sample);
  assert.ok(Result.isSuccess(result));
  assert.equal(result.success, sample.toggle());
  assert.is(sample.toggle().status?.phase, 'Open');
  assert.equal(
    historyOf(sample.toggle()).map(({ from, event, to, by, text, rule }) => [from, event, to, by, text, rule]),
    [['Shut', 'openAsked', 'Open', 'ada', 'let me in', 'open-asked']],
  );
  assert.equal(sample.writes, ['status']);
});

spec('a command without a matching rule is refused without a state and writes nothing', async () => {
  const sample = makeHouse(doing(), { phase: 'Open' });
  const { result } = await ask(sample);
  assert.ok(Result.isFailure(result));
  assert.is(
    JSON.stringify(result.failure),
    JSON.stringify({
      machine: 'toggle',
      name: 'front',
      command: 'open',
      isDeleting: false,
      says: '',
      _tag: 'CommandRejected',
    }),
  );
  assert.equal(sample.writes, []);
});

spec('a conflicting write makes the command read the object and decide anew', async () => {
  const sample = makeHouse(doing());
  const { result, tries } = await ask(sample, command, 4);
  assert.ok(Result.isSuccess(result));
  assert.is(tries, 5);
  assert.is(historyOf(sample.toggle()).length, 1);
});

spec('a command on a missing object answers not found', async () => {
  const sample = makeHouse(doing());
  sample.cluster.drop(sample.controller.resource, 'front');
  const { result } = await ask(sample);
  assert.ok(Result.isFailure(result) && result.failure._tag === 'NotFound');
});

spec('an earlier external change is entered first, in the same write', async () => {
  const opened = {
    seq: 1,
    machine: 'toggle',
    from: 'Shut',
    event: 'opened',
    to: 'Open',
    by: 'operator',
    at: '2026-12-31T00:00:00.000Z',
    text: '',
  };
  const sample = makeHouse(doing(), { phase: 'Shut', key: 'k', history: [opened] });
  await ask(sample);
  assert.equal(
    historyOf(sample.toggle()).map(({ event }) => event),
    ['opened', 'shutFound', 'openAsked'],
  );
  assert.is(sample.toggle().status?.key, undefined);
  assert.equal(sample.writes, ['status']);
});

spec.run();
