import { createHmac } from 'node:crypto';
import { Effect, Latch } from 'effect';
import * as assert from 'uvu/assert';
import { type CoreApp, coreApp } from '../../../../crds/coreApp.ts';
import type { Webhook, WebhookDelivery } from '../../../../crds/coreProject.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { deliveryView } from '../../../../http/views/webhook.ts';
import type { ReceiverAnswer } from '../../../../rules/webhookDelivery/facts.ts';
import { gaps } from '../../../../runtime/step/audit.ts';
import { historyOf } from '../../../../runtime/step/history.ts';
import { apps, everyKind, projects } from '../../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import type { ReceiverRequest } from '../../../../runtime/services/receivers.ts';
import { projectController } from '../../../../runtime/controllers/project/controller.ts';
import { startOperator } from '../../../../runtime/start.ts';
import { makeSender } from '../../../../runtime/services/webhooks/sender.ts';
import { inSystem, projectName } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { projectSession } from './session.ts';

const spec = suite('deliveries of webhooks');
type Session = Awaited<ReturnType<typeof projectSession>>;

const revision = '2027-01-01T00:00:00.000Z';
const secret = `whsec_${'a'.repeat(48)}`;
const webhook = (id: string, more: Partial<Webhook> = {}): Webhook => ({
  id,
  url: `https://${id}.example/hook`,
  disabled: false,
  ...more,
});

interface Deployed {
  readonly name?: string;
  readonly ready?: 'True' | 'False';
  readonly reason?: string;
  readonly revision?: string;
  readonly announced?: boolean;
  readonly source?: CoreApp['spec']['source'];
}

/** A service as its controller leaves it after a deploy. */
function putApp(
  { cluster }: TestEnvironment,
  { name = 'web', ready, reason = 'ServiceReady', ...told }: Deployed = {},
) {
  const { revision: deployed = revision, announced = true, source = { image: 'nginx:1' } } = told;
  const found = cluster.all(apps).find(({ metadata }) => metadata.name === name);
  const annotations = {
    'core.platform/display-name': 'Web shop',
    'core.platform/deploy-revision': deployed,
    ...(announced ? { 'core.platform/announced-deploy': deployed } : {}),
  };
  const condition = { type: 'Ready', status: ready ?? 'False', reason, message: 'told by Ready' } as const;
  cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: { ...(found?.metadata ?? inSystem(name)), annotations },
    spec: { project: projectName, environment: 'production', source, deploy: { enabled: true } },
    status: {
      deployRevision: deployed,
      ...(source.image && { resolvedImage: source.image, takenUpImage: source.image }),
      url: 'https://shop.example',
      ...(ready ? { conditions: [{ ...condition, lastTransitionTime: revision }] } : {}),
    },
  });
}

const putSecrets = ({ cluster }: TestEnvironment, ids: readonly string[]) =>
  void cluster.put(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: inSystem(`${projectName}-webhooks`),
    data: Object.fromEntries(ids.map((id) => [id, Buffer.from(secret).toString('base64')])),
  });

const deliveries = ({ project }: Session): readonly WebhookDelivery[] => project().status?.webhookDeliveries ?? [];
const outcomes = (session: Session) =>
  deliveries(session).map(({ event, attempts, statusCode, error }) => [event, attempts, statusCode, error]);
const bodyOf = ({ body }: ReceiverRequest) => JSON.parse(body) as Readonly<Record<string, unknown>>;
const announcedOn = ({ environment: fakes }: Session) =>
  fakes.cluster.all(apps)[0]?.metadata.annotations?.['core.platform/announced-deploy'];
const answering = (answer: ReceiverAnswer) => () => Effect.succeed(answer);
const code = (status: number) => answering({ is: 'answered', code: status });

/** A project with webhooks, and a service of which a deploy was announced. */
async function deployed(
  webhooks: readonly Webhook[],
  answer = code(200),
  prepare: (fakes: TestEnvironment) => void = () => {},
) {
  const session = await projectSession({ webhooks, displayName: 'Shop' });
  session.environment.receivers.answer = answer;
  prepare(session.environment);
  await session.edit((fakes) => putApp(fakes));
  return session;
}

spec(
  'WHK-001 WHK-003 WHK-016 WHK-017 WHK-018 WHK-019 WHK-020 WHK-021 WHK-022 WHK-023 WHK-027 WHK-028 WHK-029 WHK-030 WHK-031 WHK-052 WHK-055 the start and the success of a deploy are delivered with a signature',
  async () => {
    const session = await deployed([webhook('11111111')], code(204), (fakes) => putSecrets(fakes, ['11111111']));
    const { got } = session.environment.receivers;
    await session.pass(1);
    assert.equal(outcomes(session), [['deployment.started', 1, 204, undefined]]);
    await session.edit((fakes) => putApp(fakes, { ready: 'True' }));
    assert.is(got.length, 2);
    const [started, succeeded] = got;
    assert.ok(started && succeeded);
    assert.equal(
      [started, succeeded].map(({ headers }) => headers['X-Core-Event']),
      ['deployment.started', 'deployment.succeeded'],
    );
    const { headers, body, url, timeoutMs } = started;
    assert.equal([url, timeoutMs], ['https://11111111.example/hook', 10_000]);
    assert.is(headers['Content-Type'], 'application/json');
    assert.is(headers['User-Agent'], 'Core-Webhooks/1');
    const timestamp = headers['X-Core-Timestamp'];
    assert.is(Math.abs(Number(timestamp) - session.time.wall() / 1_000) < 5, true);
    const v1 = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    assert.is(headers['X-Core-Signature'], `t=${timestamp},v1=${v1}`);
    const { id, createdAt, ...told } = bodyOf(started);
    assert.match(String(id), /^evt_[0-9a-f]+$/);
    assert.is(Number.isNaN(Date.parse(String(createdAt))), false);
    assert.equal(told, {
      type: 'deployment.started',
      project: { name: 'shop', displayName: 'Shop' },
      environment: 'production',
      service: { name: 'web', displayName: 'Web shop', kind: 'service', url: 'https://shop.example' },
      deployment: { revision, image: 'nginx:1' },
    });
    const { durationMillis, deliveryId, webhookId } = deliveries(session)[0] ?? {};
    assert.equal([webhookId, deliveryId], ['11111111', succeeded.headers['X-Core-Delivery']]);
    assert.is(typeof durationMillis, 'number');
    const listed = deliveries(session).map((one) => deliveryView(session.project(), one));
    assert.equal(
      listed.map(({ service, environment }) => [service, environment]),
      [
        ['web', 'production'],
        ['web', 'production'],
      ],
    );
    await session.end();
  },
);

spec(
  'WHK-004 WHK-006 WHK-054 a deploy is announced once, its annotation is removed at its end, and unrelated changes send nothing',
  async () => {
    const session = await deployed([webhook('11111111')]);
    const { got } = session.environment.receivers;
    await session.edit((fakes) => putApp(fakes, { ready: 'True' }));
    await session.pass(3_600);
    assert.is(got.length, 2);
    assert.is(announcedOn(session), undefined);
    await session.edit((fakes) => putApp(fakes, { ready: 'False', announced: false, revision: 'r2' }));
    await session.edit((fakes) => putApp(fakes, { ready: 'True', announced: false, revision: 'r2' }));
    await session.pass(60);
    assert.is(got.length, 2);
    const writes = session.project().metadata.resourceVersion;
    await session.pass(3_600);
    assert.is(session.project().metadata.resourceVersion, writes);
    await session.end();
  },
);

spec('WHK-005 WHK-032 the event of a failed deploy carries the message of Ready', async () => {
  const session = await deployed([webhook('11111111')]);
  await session.edit((fakes) => putApp(fakes, { ready: 'False', reason: 'ProvisionFailed' }));
  const body = bodyOf(session.environment.receivers.got[1] ?? { url: '', headers: {}, body: '{}', timeoutMs: 0 });
  assert.equal([body['type'], body['message']], ['deployment.failed', 'told by Ready']);
  assert.is(announcedOn(session), undefined);
  await session.end();
});

spec('WHK-031 an event carries the pinned commit of a service, and marks a function', async () => {
  const session = await projectSession({ webhooks: [webhook('11111111')] });
  const git = { repository: 'a/b', branch: 'main', waitForCI: false };
  await session.edit((fakes) => putApp(fakes, { source: { git: { ...git, commit: 'c'.repeat(40) } } }));
  await session.edit((fakes) => putApp(fakes, { name: 'two', source: { git } }));
  const code = { runtime: 'bun', code: '', mode: 'http' } as const;
  await session.edit((fakes) => putApp(fakes, { name: 'three', source: { function: code } }));
  const bodies = session.environment.receivers.got.map(bodyOf);
  assert.equal(
    bodies.map(({ deployment }) => (deployment as { commit?: string }).commit),
    ['c'.repeat(40), undefined, undefined],
  );
  assert.equal(
    bodies.map(({ service }) => (service as { kind: string }).kind),
    ['service', 'service', 'function'],
  );
  await session.end();
});

for (const [ids, told, answer] of [
  ['WHK-036 WHK-058', 'receiver answered HTTP 503', code(503)],
  ['WHK-037', 'receiver answered HTTP 429', code(429)],
  ['WHK-037', 'receiver answered HTTP 408', code(408)],
  ['WHK-035', 'connect ECONNREFUSED', answering({ is: 'networkError', why: 'connect ECONNREFUSED' })],
] as const)
  spec(
    `${ids} WHK-033 WHK-034 WHK-056 WHK-057 a delivery is attempted three times, 1 s and 5 s apart: ${told}`,
    async () => {
      const at: number[] = [];
      const session = await projectSession({ webhooks: [webhook('11111111')] });
      session.environment.receivers.answer = () =>
        Effect.tap(answer(), () => Effect.sync(() => at.push(session.time.wall())));
      await session.edit((fakes) => putApp(fakes));
      assert.is(deliveries(session)[0]?.durationMillis, undefined);
      await session.pass(60);
      assert.equal(
        outcomes(session).map(([, attempts, , error]) => [attempts, error]),
        [[3, told]],
      );
      assert.equal([(at[1] ?? 0) - (at[0] ?? 0), (at[2] ?? 0) - (at[1] ?? 0)], [1_000, 5_000]);
      const [first, second, third] = session.environment.receivers.got;
      assert.is(new Set([first, second, third].map((one) => one?.headers['X-Core-Delivery'])).size, 1);
      assert.is(new Set([first, second, third].map((one) => one?.body)).size, 1);
      assert.is(new Set([first, second, third].map((one) => one?.headers['X-Core-Timestamp'])).size, 3);
      assert.is(session.environment.receivers.got.length, 3);
      await session.end();
    },
  );

for (const [ids, told, answer] of [
  ['WHK-038 WHK-048 WHK-059', 'receiver answered HTTP 410', code(410)],
  ['WHK-038 WHK-040', 'receiver answered HTTP 302', code(302)],
  [
    'WHK-047',
    'webhook URL cannot point at a private network address',
    answering({ is: 'refused', refusal: { by: 'privateAddress' } }),
  ],
  [
    'WHK-049 WHK-060',
    'refusing to connect to 127.0.0.1',
    answering({ is: 'refused', refusal: { by: 'connection', ip: '127.0.0.1' } }),
  ],
] as const)
  spec(`${ids} a delivery is attempted once: ${told}`, async () => {
    const session = await deployed([webhook('11111111')], answer);
    await session.pass(60);
    assert.equal(
      outcomes(session).map(([, attempts, , error]) => [attempts, error]),
      [[1, told]],
    );
    assert.is(session.environment.receivers.got.length, 1);
    await session.end();
  });

spec('WHK-014 WHK-015 WHK-053 WHK-053a a webhook receives its selected events, none while paused', async () => {
  const session = await deployed([
    webhook('aaaaaaaa'),
    webhook('bbbbbbbb', { events: ['deployment.succeeded'] }),
    webhook('cccccccc', { disabled: true }),
    webhook('dddddddd', { events: [] }),
  ]);
  await session.pass(1);
  const reached = () => session.environment.receivers.got.map(({ url }) => url.slice(8, 9)).toSorted();
  assert.equal(reached(), ['a', 'd']);
  await session.edit((fakes) => putApp(fakes, { ready: 'True' }));
  assert.equal(reached(), ['a', 'a', 'b', 'd', 'd']);
  assert.is(deliveries(session).length, 5);
  await session.end();
});

spec('WHK-053b a webhook that is paused between attempts gets no more', async () => {
  const session = await deployed([webhook('11111111')], code(500));
  await session.edit(({ cluster }) => {
    const project = session.project();
    cluster.put(projects, {
      ...project,
      spec: { ...project.spec, webhooks: [webhook('11111111', { disabled: true })] },
    });
  });
  await session.pass(60);
  assert.is(session.environment.receivers.got.length, 1);
  assert.is(outcomes(session)[0]?.[3], 'the webhook is disabled: nothing is sent');
  await session.end();
});

spec('WHK-026 a delivery is unsigned when its webhook has no secret', async () => {
  const session = await deployed([webhook('11111111')]);
  await session.pass(1);
  assert.is(session.environment.receivers.got[0]?.headers['X-Core-Signature'], undefined);
  await session.end();
});

spec('WHK-039 WHK-041 eight deliveries are sent at a time, shared fairly between projects', async () => {
  const hanging = Array.from({ length: 12 }, (_, at) => webhook(`a${String(at).padStart(7, '0')}`));
  const session = await projectSession({ webhooks: hanging });
  let open = 0;
  let most = 0;
  session.environment.receivers.answer = () =>
    Effect.gen(function* () {
      most = Math.max(most, ++open);
      yield* Effect.sleep(10_000);
      open--;
      return { is: 'networkError', why: 'receiver did not answer within 10 s' };
    });
  await session.edit((fakes) => putApp(fakes));
  assert.is(session.environment.receivers.got.length, 8);
  await session.pass(90);
  assert.is(most, 8);
  assert.is(session.environment.receivers.got.length, 36);
  assert.ok(
    outcomes(session).every(([, attempts, , error]) => attempts === 3 && String(error).includes('within 10 s')),
  );
  await session.end();
});

spec(
  'PRJ-095 WHK-051 the list keeps the newest twenty, the newest first, and pushes out none that is under way',
  async () => {
    const ids = Array.from({ length: 15 }, (_, at) => webhook(`a${String(at).padStart(7, '0')}`));
    const session = await projectSession({ webhooks: ids });
    session.environment.receivers.answer = () =>
      Effect.delay(Effect.succeed({ is: 'answered', code: 200 } as const), 3_000);
    await session.edit((fakes) => putApp(fakes));
    await session.edit((fakes) => putApp(fakes, { name: 'two' }));
    assert.is(deliveries(session).length, 20);
    assert.is(session.project().status?.webhookEvents?.flatMap(({ deliveries: waiting }) => waiting).length, 10);
    await session.pass(60);
    assert.is(session.environment.receivers.got.length, 30);
    assert.is(deliveries(session).length, 20);
    const times = deliveries(session).map(({ time }) => time);
    assert.equal(times, times.toSorted().toReversed());
    assert.equal(gaps(historyOf(session.project())), []);
    await session.end();
  },
);

spec('WHK-051 WHK-052 deliveries of an event fail as queueFull while a hundred wait, and none is lost', async () => {
  const session = await projectSession({ webhooks: [webhook('11111111')] });
  session.environment.receivers.answer = () =>
    Effect.delay(Effect.succeed({ is: 'answered', code: 200 } as const), 1_000);
  // Later moves push it out of the history.
  const full = new Map<string | undefined, unknown>();
  session.environment.cluster.onChange((changed) => {
    for (const { event, item, from, to, text } of historyOf(changed))
      if (event === 'queueFull') full.set(item, [from, to, text]);
  });
  for (let at = 0; at < 101; at++) putApp(session.environment, { name: `web${at}` });
  await session.edit(() => {});
  assert.is(deliveries(session).length, 20);
  assert.ok(deliveries(session).every(({ durationMillis }) => durationMillis === undefined));
  await session.pass(1);
  assert.equal([...full.values()], [['(none)', 'Failed', 'too many webhook events are waiting']]);
  await session.pass(60);
  assert.equal(gaps(historyOf(session.project())), []);
  assert.is(new Set(session.environment.receivers.got.map((request) => bodyOf(request)['id'])).size, 100);
  await session.end();
});

spec('WHK-033 an attempt of a dead process counts and is not repeated', async () => {
  const session = await projectSession({ webhooks: [webhook('11111111')] });
  session.environment.receivers.answer = () => Effect.never;
  await session.edit((fakes) => putApp(fakes));
  assert.is(session.environment.receivers.got.length, 1);
  await session.end();
  session.environment.receivers.answer = code(200);
  const controllers = [projectController({ sender: makeSender('another') })];
  const options = { controllers, alsoSeen: everyKind, workers: 2 };
  const { crash } = await session.time.wait(startOperator(session.time.over(session.environment.services), options));
  await session.pass(9);
  assert.is(session.environment.receivers.got.length, 1);
  await session.pass(10);
  assert.equal(outcomes(session), [['deployment.started', 2, 200, undefined]]);
  assert.is(session.environment.receivers.got.length, 2);
  await session.time.wait(crash());
});

spec('deliveries that end together are recorded in one write', async () => {
  const answers = Latch.makeUnsafe(false);
  const held = () => Effect.as(answers.await, { is: 'answered', code: 200 } as const);
  const ids = ['11111111', '22222222', '33333333', '44444444', '55555555'];
  const session = await deployed(
    ids.map((id) => webhook(id)),
    held,
    (fakes) => putSecrets(fakes, ids),
  );
  await session.pass(1);
  assert.is(session.environment.receivers.got.length, ids.length);
  let writes = 0;
  session.environment.cluster.onChange(({ kind }) => void (writes += kind === projects.kind ? 1 : 0));
  answers.openUnsafe();
  await session.pass(1);
  assert.equal(
    outcomes(session),
    ids.map(() => ['deployment.started', 1, 200, undefined]),
  );
  assert.is(writes, 1);
  await session.end();
});

spec.run();
