import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { CoreProject, Webhook } from '../../crds/coreProject.ts';
import type {
  QueuedDelivery,
  DeliveryItem,
  Explanation,
  Instance,
  InstanceRead,
  Items,
  Machine,
  Transitions,
  WebhookCreated,
  WebhookItem,
} from '../../http/api.ts';
import { addressCheckWith } from '../../rules/webhookDelivery/addressCheck.ts';
import { apps, projects } from '../../runtime/services/cluster/kinds.ts';
import { nodeReceivers } from '../../runtime/services/receivers.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { putNode } from '../support/database.ts';
import { putCluster, putProject } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { app, passwordHash, serve, type Served } from './served.ts';

const spec = suite('webhooks over REST');

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on loopback, which answers as it is told. */
async function receiver() {
  const got: Got[] = [];
  const told = { status: 200 };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.writeHead(told.status, { location: 'http://127.0.0.1:1/' }).end('not read');
    });
  });
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go));
  const { port } = server.address() as AddressInfo;
  return { got, told, url: `http://127.0.0.1:${port}/hook`, close: () => server.close() };
}

const onLoopback = () => null;
const users = { viewer: { role: 'viewer', password: passwordHash, epoch: 0 } } as const;
let served: Served;
let target: Awaited<ReturnType<typeof receiver>>;

/** A served project; with loopback, its webhooks may be called here. */
async function given(webhooks: readonly Webhook[] = [], loopback = true) {
  served = await serve(loopback ? { webhookJudge: onLoopback } : {}, users);
  served.world.receivers.answer = nodeReceivers(loopback ? onLoopback : addressCheckWith(false)).post;
  putCluster(served.world);
  putProject(served.world, { webhooks, displayName: 'Shop' });
  await until(() => cached()?.status?.phase === 'ProjectReady', 'the project is ready');
}
spec.before.each(async () => {
  target = await receiver();
});
spec.after.each(async () => {
  target.close();
  await served.stop();
});

const base = '/api/v1/projects/shop/webhooks';
const cached = (): CoreProject | undefined => served.operator.caches.get(projects, 'shop');
const send = (method: string, path: string, body?: object) =>
  served.ask(path.startsWith('/api') ? path : `${base}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
const said = async (method: string, path: string, body?: object) => {
  const { status, text } = await send(method, path, body);
  return `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`.trim();
};
const read = async <T>(path: string): Promise<T> => (await send('GET', path)).json() as T;
const create = async (url = target.url) => (await send('POST', '', { url })).json() as WebhookCreated;
const log = async (id: string) => (await read<Items<DeliveryItem>>(`/${id}/deliveries`)).items;
const keys = () =>
  served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === 'shop-webhooks')?.data ?? {};
const isSigned = ({ headers, body }: Got, secret: string) => {
  const t = String(headers['x-core-timestamp']);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return headers['x-core-signature'] === `t=${t},v1=${v1}`;
};

spec(
  'WHK-010 WHK-011 WHK-024 WHK-025 WHK-050 PRJ-101 the webhook secret is returned only at creation and rotation',
  async () => {
    await given();
    const answer = await send('POST', '', { url: target.url });
    assert.is(answer.status, 201);
    const { id, secret } = answer.json() as WebhookCreated;
    assert.match(id, /^[0-9a-f]{8}$/);
    assert.match(secret, /^whsec_[0-9a-f]{48}$/);
    assert.is(Buffer.from(keys()[id] ?? '', 'base64').toString(), secret);
    assert.equal(cached()?.spec.webhooks, [{ id, url: target.url, disabled: false }]);
    assert.equal((await read<Items<WebhookItem>>('')).items, [
      { id, url: target.url, events: [], disabled: false, signed: true },
    ]);
    for (const path of ['', `/${id}/deliveries`, '/api/v1/projects/shop'])
      assert.not.match((await send('GET', path)).text, secret);
    const rotated = (await send('POST', `/${id}/rotate`)).json() as WebhookCreated;
    assert.is(rotated.id, id);
    assert.not.equal(rotated.secret, secret);
    assert.is(Buffer.from(keys()[id] ?? '', 'base64').toString(), rotated.secret);
    assert.is(await said('DELETE', `/${id}`), '200');
    assert.equal([keys()[id], cached()?.spec.webhooks], [undefined, []]);
  },
);

spec(
  'WHK-007 WHK-008 WHK-061 a test delivery is sent once, signed, with project and message but no service',
  async () => {
    await given();
    const { id, secret } = await create();
    target.told.status = 500;
    const { deliveryId } = (await send('POST', `/${id}/test`)).json() as QueuedDelivery;
    await until(async () => (await log(id))[0]?.state === 'Failed', 'the test has failed');
    assert.is(target.got.length, 1);
    const [got] = target.got;
    assert.ok(got && isSigned(got, secret));
    assert.equal([got.headers['x-core-event'], got.headers['x-core-delivery']], ['test', deliveryId]);
    const { type, project, service, message } = JSON.parse(got.body) as Record<string, unknown>;
    assert.equal([type, project, service], ['test', { name: 'shop', displayName: 'Shop' }, undefined]);
    assert.is(typeof message, 'string');
    const [delivery] = await log(id);
    assert.is(delivery?.service, '');
    const { attempts, statusCode, error, nextAttempt, canRepeat } = delivery ?? ({} as DeliveryItem);
    assert.equal(
      [attempts, statusCode, error, nextAttempt, canRepeat],
      [1, 500, 'receiver answered HTTP 500', null, true],
    );
  },
);

spec('WHK-020 WHK-040 a redelivery is a new entry with the same event, and a redirect is not followed', async () => {
  await given();
  const { id, secret } = await create();
  target.told.status = 302;
  const { deliveryId } = (await send('POST', `/${id}/test`)).json() as QueuedDelivery;
  await until(async () => (await log(id))[0]?.state === 'Failed', 'the redirect is refused');
  target.told.status = 204;
  const again = (await send('POST', `/${id}/deliveries/${deliveryId}/redeliver`)).json() as QueuedDelivery;
  await until(async () => (await log(id))[0]?.state === 'Delivered', 'it is delivered');
  assert.not.equal(again.deliveryId, deliveryId);
  assert.equal(
    (await log(id)).map(({ deliveryId: one, state }) => [one, state]),
    [
      [again.deliveryId, 'Delivered'],
      [deliveryId, 'Failed'],
    ],
  );
  assert.is(target.got.length, 2);
  assert.is(target.got[0]?.body, target.got[1]?.body);
  assert.ok(target.got.every((one) => isSigned(one, secret)));
  assert.is(await said('POST', `/${id}/deliveries/none/redeliver`), '404 delivery "none" was not found');
});

spec(
  'WHK-043 WHK-044 WHK-045 WHK-012 an address recognisable as private or malformed is refused when saved',
  async () => {
    await given([], false);
    const refused = '400 webhook URL cannot point at a private network address';
    for (const url of [
      'http://localhost/hook',
      'http://127.0.0.1/x',
      'http://2130706433/',
      'http://[::1]/hook',
      'http://10.0.0.1/x',
    ])
      assert.is(await said('POST', '', { url }), refused, url);
    for (const url of ['http://[64:ff9b::a9fe:a9fe]/', 'http://0x7f.1/hook', 'http://169.254.169.254/'])
      assert.is(await said('POST', '', { url }), refused, url);
    const form = '400 webhook URL cannot carry a user name, password or fragment';
    for (const url of ['https://kim@a.example/', 'https://:pw@a.example/', 'https://a.example/#x'])
      assert.is(await said('POST', '', { url }), form, url);
    for (const url of ['ftp://a.example/', 'not a url', 'file:///etc/passwd'])
      assert.is(await said('POST', '', { url }), '400 url must be an http or https address');
    for (const url of ['http://', `https://a.example/${'x'.repeat(2048)}`])
      assert.is(await said('POST', '', { url }), '400 url must have 8 to 2048 characters');
    assert.is((await send('POST', '', { url: 'https://hooks.example/x' })).status, 201);
    const [{ id } = { id: '' }] = (await read<Items<WebhookItem>>('')).items;
    assert.is(await said('PATCH', `/${id}`, { url: 'http://127.0.0.1/' }), refused);
    assert.equal(Object.keys(keys()), [id]);
  },
);

spec('WHK-046 WHK-049 WHK-060 the address of a receiver is also checked when the connection opens', async () => {
  await given([{ id: '0a1b2c3d', url: 'http://this-host.localhost.example/hook', disabled: false }], false);
  const { port } = new URL(target.url);
  const local = nodeReceivers(({ ip }) => (ip === null ? null : { by: 'connection', ip }));
  const answer = await Effect.runPromise(
    local.post({ url: `http://localhost:${port}/`, headers: {}, body: '{}', timeoutMs: 1_000 }),
  );
  assert.is(answer.is === 'refused' && answer.refusal.by, 'connection');
  assert.is(target.got.length, 0);
});

spec('WHK-039 WHK-042 an answer is complete with its headers, and a missing one ends at the timeout', async () => {
  await given();
  process.env['HTTP_PROXY'] = 'http://127.0.0.1:1';
  const open = nodeReceivers(onLoopback);
  const asked = { headers: {}, body: '{}', timeoutMs: 200 };
  assert.equal(await Effect.runPromise(open.post({ ...asked, url: target.url })), { is: 'answered', code: 200 });
  delete process.env['HTTP_PROXY'];
  const silent = createServer(() => {});
  await new Promise<void>((go) => silent.listen(0, '127.0.0.1', go));
  const { port } = silent.address() as AddressInfo;
  const hung = await Effect.runPromise(open.post({ ...asked, url: `http://127.0.0.1:${port}/` }));
  assert.equal(hung, { is: 'networkError', why: 'receiver did not answer within 10 s' });
  silent.closeAllConnections();
  silent.close();
  const nobody = await Effect.runPromise(open.post({ ...asked, url: 'http://127.0.0.1:1/' }));
  assert.is(nobody.is, 'networkError');
});

spec('WHK-015 a disabled webhook gets no delivery, and a project has at most twenty webhooks', async () => {
  await given();
  const { id } = await create();
  assert.is(await said('PATCH', `/${id}`, { disabled: true, events: ['deployment.failed'] }), '200');
  const paused = '409 the webhook is disabled: nothing is sent';
  assert.is(await said('POST', `/${id}/test`), paused);
  assert.is(await said('POST', '/00000000/test'), '404 webhook "00000000" was not found');
  for (let count = 1; count < 20; count++) assert.is((await send('POST', '', { url: target.url })).status, 201);
  assert.is(await said('POST', '', { url: target.url }), '409 a project has at most 20 webhooks');
  assert.is(Object.keys(keys()).length, 20);
});

spec('AUT-064 each delivery is an instance of its machine, visible only to admins', async () => {
  await given();
  const { id } = await create();
  const { deliveryId } = (await send('POST', `/${id}/test`)).json() as QueuedDelivery;
  await until(async () => (await log(id))[0]?.state === 'Delivered', 'it is delivered');
  const machines = '/api/v1/machines/webhookDelivery';
  const instance = `${machines}/instances/coreprojects:shop:${deliveryId}`;
  const { items } = await read<Items<Instance>>(`${machines}/instances`);
  assert.equal(
    items.map(({ id: one, name, state }) => [one, name, state]),
    [[`coreprojects:shop:${deliveryId}`, `shop:${deliveryId}`, 'Delivered']],
  );
  assert.is((await read<InstanceRead>(instance)).state, 'Delivered');
  assert.equal((await read<Machine>(machines)).counts, { Delivered: 1 });
  const moves = (await read<Transitions>(`${instance}/transitions`)).items;
  assert.equal(
    moves.map(({ from, event, to, row }) => [from, event, to, row]),
    [
      ['(none)', 'eventChosen', 'FirstAttempt', 'WHK-052'],
      ['FirstAttempt', 'attemptDue', 'FirstAttempt', 'WHK-052a'],
      ['FirstAttempt', 'received', 'Delivered', 'WHK-055'],
    ],
  );
  assert.is((await read<Explanation>(`${instance}/explain`)).decision.is, 'rests');
  assert.is((await send('POST', `${instance}/reconcile`)).status, 200);
  assert.is((await send('GET', `${machines}/instances/coreprojects:shop:none`)).status, 404);
  const { token } = await served.makeToken({ role: 'viewer' });
  const asViewer = (path: string) => served.askAs(token, path);
  assert.equal((JSON.parse((await asViewer(`${machines}/instances`)).text) as Items<Instance>).items, []);
  assert.is((await asViewer(instance)).status, 404);
  assert.is((await asViewer(base)).status, 403);
});

spec('WHK-002 a deploy over REST is announced to webhooks', async () => {
  await given([{ id: '0a1b2c3d', url: target.url, disabled: false }]);
  putNode(served.world);
  await until(() => served.operator.caches.list(clusterNodes).length > 0, 'there is room');
  served.world.cluster.put(
    apps,
    app('web', { project: 'shop', source: { image: 'nginx' }, deploy: { enabled: false } }),
  );
  await until(() => served.operator.caches.get(apps, 'web'), 'the service');
  const annotations = () => served.operator.caches.get(apps, 'web')?.metadata.annotations ?? {};
  assert.is(annotations()['core.platform/announced-deploy'], undefined);
  assert.is((await served.post('/api/v1/apps/web/deploy', {})).status, 200);
  assert.ok(annotations()['core.platform/deploy-revision']);
  assert.is(annotations()['core.platform/announced-deploy'], annotations()['core.platform/deploy-revision']);
  await until(() => target.got.length === 1, 'the deploy is announced');
  assert.is(target.got[0]?.headers['x-core-event'], 'deployment.started');
});

spec.run();
