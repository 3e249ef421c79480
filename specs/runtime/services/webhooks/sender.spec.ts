import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { Unavailable, Cluster } from '../../../../runtime/services/cluster/cluster.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { Receivers } from '../../../../runtime/services/receivers.ts';
import { makeSender } from '../../../../runtime/services/webhooks/sender.ts';
import { makeSlots } from '../../../../runtime/services/webhooks/slots.ts';
import { suite } from '../../../support/suite.ts';
import { until } from '../../../support/until.ts';
import { makeTestEnvironment } from '../../../support/environment.ts';

const spec = suite('the sender of webhooks');
const claimed = {
  project: 'shop',
  webhookId: '0a1b2c3d',
  deliveryId: 'd1',
  sentAt: '2027-01-01T00:00:00.000Z',
  event: 'deployment.started',
  url: 'https://hooks.example/x',
  body: '{}',
};

spec('WHK-041 eight slots are shared by projects in turn, so that a hanging receiver does not block the others', () => {
  const slots = makeSlots(8);
  const hanging = Array.from({ length: 20 }, (_, at) => `a${at}`);
  assert.equal(slots.ask('a', hanging, 0), ['a']);
  assert.is(slots.taken(), 8);
  for (const one of hanging.slice(0, 8)) slots.use(one);
  assert.equal(slots.ask('b', ['b0', 'b1'], 1), []);
  assert.equal(slots.ask('c', ['c0'], 2), []);
  const turns = hanging.slice(0, 4).map((one, at) => slots.free(one, 3 + at));
  assert.equal(turns, [['a'], ['b'], ['c'], ['a']]);
  assert.ok(slots.has('b0') && slots.has('c0') && !slots.has('b1'));
});

spec('an unused slot passes to another delivery after ten seconds', () => {
  const slots = makeSlots(1);
  slots.ask('a', ['a0'], 0);
  assert.equal(slots.ask('b', ['b0'], 9_999), []);
  assert.equal(slots.ask('b', ['b0'], 10_000), ['b']);
  assert.is(slots.has('a0'), false);
  assert.equal(slots.ask('b', [], 10_001), []);
  assert.is(slots.taken(), 0);
});

/** Starts one attempt over a cluster that answers as it is told. */
async function attempt(get: 'answers' | 'fails', keys: Readonly<Record<string, string>> = {}) {
  const environment = makeTestEnvironment();
  const sender = makeSender('here');
  const { cluster } = environment;
  if (Object.keys(keys).length > 0)
    cluster.put(secrets, { metadata: { name: 'shop-webhooks', namespace: 'core-system' }, data: keys });
  const over =
    get === 'fails'
      ? { ...cluster, get: () => Effect.fail(new Unavailable({ message: 'the API does not answer' })) }
      : cluster;
  const start = sender.start(claimed).pipe(
    Effect.provideService(Cluster, over),
    Effect.provideService(Receivers, {
      post: (request) =>
        Effect.andThen(
          Effect.sync(() => environment.receivers.got.push(request)),
          environment.receivers.answer(request),
        ),
    }),
  );
  await Effect.runPromise(Effect.andThen(start, start));
  await until(() => sender.answerOf('d1', claimed.sentAt), 'it is answered');
  return { answer: sender.answerOf('d1', claimed.sentAt), got: environment.receivers.got, sender };
}

spec(
  'WHK-026 a direct read confirms that a secret is missing, and nothing is sent unsigned when the read fails',
  async () => {
    const failed = await attempt('fails');
    assert.equal(failed.answer, { is: 'networkError', why: 'the signing secret could not be read' });
    assert.is(failed.got.length, 0);
    const unsigned = await attempt('answers');
    assert.is(unsigned.got[0]?.headers['X-Core-Signature'], undefined);
    const signed = await attempt('answers', { '0a1b2c3d': Buffer.from('whsec_x').toString('base64') });
    assert.match(signed.got[0]?.headers['X-Core-Signature'] ?? '', /^t=\d+,v1=[0-9a-f]{64}$/);
    assert.is(signed.got.length, 1);
  },
);

spec('an answer counts for its own attempt and is forgotten with its delivery', async () => {
  const { sender } = await attempt('answers');
  assert.is(sender.answerOf('d1', 'another'), null);
  sender.forget('shop', new Set(['d1']));
  assert.ok(sender.answerOf('d1', claimed.sentAt));
  sender.forget('shop', new Set());
  assert.is(sender.answerOf('d1', claimed.sentAt), null);
});

spec.run();
