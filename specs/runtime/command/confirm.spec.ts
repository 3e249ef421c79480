import { Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import { confirmAddition, confirmRemoval } from '../../../runtime/command/confirm.ts';
import { edit } from '../../../runtime/command/edit.ts';
import { command as carryOut, expectAnswer } from '../../../runtime/command/command.ts';
import { Unavailable, Cluster, type ClusterShape } from '../../../runtime/services/cluster/cluster.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { suite } from '../../support/suite.ts';
import { type Toggle, doing, makeHouse } from '../pass/toggle.ts';
import { makeSampleEnvironment } from '../pass/sampleEnvironment.ts';
import { plumbing } from '../pass/sampleController.ts';

const spec = suite('a command whose answer is lost');

const lost = new Unavailable({ message: 'timed out' });
const open = { asked: 'open', by: 'ada' };

/** A cluster that loses the answer to each write, after what is done instead of an answer. */
const losing = (cluster: ClusterShape, meanwhile: Effect.Effect<unknown> = Effect.void): ClusterShape => {
  const silent = <A, E, R>(write: Effect.Effect<A, E, R>) =>
    write.pipe(Effect.andThen(meanwhile), Effect.andThen(Effect.fail(lost)));
  return {
    ...cluster,
    patch: (...given) => silent(cluster.patch(...given)),
    patchStatus: (...given) => silent(cluster.patchStatus(...given)),
  };
};
/** One whose writes never arrive. */
const deaf = (cluster: ClusterShape): ClusterShape => ({
  ...cluster,
  patch: () => Effect.fail(lost),
  patchStatus: () => Effect.fail(lost),
});

function openToggle(sample: ReturnType<typeof makeHouse>, over: (cluster: ClusterShape) => ClusterShape) {
  const [lifecycle] = sample.controller.lifecycles;
  if (!lifecycle) throw new Error('no lifecycle');
  const front = { controller: sample.controller, lifecycle, name: 'front' };
  const moving = Effect.flatMap(Cluster, (cluster) =>
    expectAnswer(front, open, carryOut(front, open, sample.context)).pipe(
      Effect.provideService(Cluster, over(cluster)),
    ),
  );
  return sample.run(Effect.map(moving, (toggle) => toggle as Toggle));
}
const tagOf = (result: Result.Result<unknown, { readonly _tag: string }>): string =>
  Result.isFailure(result) ? result.failure._tag : 'done';

spec('a command on status is done once when the answer of its write is lost', async () => {
  const sample = makeHouse(doing());
  const result = await openToggle(sample, losing);
  assert.is(tagOf(result), 'done');
  assert.is(sample.toggle().status?.phase, 'Open');
  assert.is(historyOf(sample.toggle()).length, 1);
});

spec('a command on status fails with the lost answer when its write was not stored', async () => {
  const sample = makeHouse(doing());
  assert.is(tagOf(await openToggle(sample, deaf)), 'Unavailable');
  assert.is(historyOf(sample.toggle()).length, 0);
});

spec('a command fails with the lost answer when the object cannot be read either', async () => {
  const sample = makeHouse(doing());
  let isWritten = false;
  const result = await openToggle(sample, (cluster) => ({
    ...losing(
      cluster,
      Effect.sync(() => (isWritten = true)),
    ),
    get: (...given) => (isWritten ? Effect.fail(lost) : cluster.get(...given)),
  }));
  assert.is(tagOf(result), 'Unavailable');
});

spec('an object that was recreated in between is a conflict and is not moved', async () => {
  const sample = makeHouse(doing());
  const again = Effect.sync(() => {
    const { metadata } = sample.toggle();
    sample.cluster.drop(sample.controller.resource, 'front');
    sample.cluster.put(sample.controller.resource, { metadata: { ...metadata, uid: 'another' } });
  });
  assert.is(tagOf(await openToggle(sample, (cluster) => losing(cluster, again))), 'Conflict');
  assert.is(historyOf(sample.toggle()).length, 0);
});

spec('a move of a state in the object is done once when the answer of its follow-up write is lost', async () => {
  const environment = makeSampleEnvironment(plumbing(), { spec: { open: false } });
  const [valve] = environment.controller.lifecycles;
  if (!valve) throw new Error('no valve');
  const mill = { controller: environment.controller, lifecycle: valve, name: 'mill' };
  const result = await environment.run(
    Effect.flatMap(Cluster, (cluster) =>
      expectAnswer(mill, open, carryOut(mill, open, environment.context)).pipe(
        Effect.provideService(Cluster, losing(cluster)),
      ),
    ),
  );
  assert.is(tagOf(result), 'done');
  assert.is(environment.sample().spec?.open, true);
  await environment.look();
  const moves = historyOf(environment.sample()).filter(({ event }) => event === 'openAsked');
  assert.equal(
    moves.map(({ event, by }) => [event, by]),
    [['openAsked', 'ada']],
  );
});

spec('an edit with a lost answer is done when it was stored, and fails otherwise', async () => {
  const sample = makeHouse(doing());
  const labelled = (over: (cluster: ClusterShape) => ClusterShape, ofStatus?: true) =>
    sample.run(
      Effect.flatMap(Cluster, (cluster) =>
        edit(sample.controller.resource, 'front', () => ({
          patch: ofStatus ? { note: 'oiled' } : { metadata: { labels: { oiled: 'yes' } } },
          result: null,
          ...(ofStatus && { ofStatus }),
        })).pipe(Effect.provideService(Cluster, over(cluster))),
      ),
    );
  assert.is(tagOf(await labelled(deaf)), 'Unavailable');
  assert.is(sample.toggle().metadata.labels?.['oiled'], undefined);
  assert.is(tagOf(await labelled(losing)), 'done');
  assert.is(sample.toggle().metadata.labels?.['oiled'], 'yes');
  assert.is(tagOf(await labelled(deaf, true)), 'Unavailable');
  assert.is(tagOf(await labelled(losing, true)), 'done');
});

spec(
  'an addition is confirmed when it is stored, and a removal when the object is terminating or replaced',
  async () => {
    const sample = makeHouse(doing());
    const { resource } = sample.controller;
    const toggle = sample.toggle();
    const added = (sent: typeof toggle) => sample.run(confirmAddition(resource, sent, lost)).then(tagOf);
    const removed = (sent: typeof toggle) => sample.run(confirmRemoval(resource, sent, lost)).then(tagOf);
    assert.is(await added({ metadata: { name: 'front' } }), 'done');
    assert.is(await added({ metadata: { name: 'front', labels: { of: 'another' } } }), 'Unavailable');
    assert.is(await added({ metadata: { name: 'back' } }), 'Unavailable');
    assert.is(await removed(toggle), 'Unavailable');
    assert.is(await removed({ metadata: { ...toggle.metadata, uid: 'earlier' } }), 'done');
    sample.cluster.drop(resource, 'front');
    assert.is(await removed(toggle), 'done');
  },
);

spec.run();
