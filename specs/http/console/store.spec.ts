import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { systemNamespace } from '../../../crds/names.ts';
import type { CoreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { objectStores } from '../../../runtime/services/cluster/kinds.ts';
import { replicaSets } from '../../../runtime/owned/addonKinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { pods } from '../../../runtime/services/cluster/resources.ts';
import { inSystem } from '../../support/project.ts';
import { suite } from '../../support/suite.ts';
import { openTerminal, refusedTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { type Console, serveConsole } from './given.ts';

const spec = suite('console of an object store');
let console: Console;

const controlled = (kind: string, of: KubeObject['metadata']) => [
  { apiVersion: 'v1', kind, name: of.name, uid: of.uid ?? '', controller: true },
];

/** A server: a Deployment of the store in core-system, with its pod. */
function putServer(store: KubeObject, pod: string, uid = store.metadata.uid ?? ''): void {
  const above = { ...store.metadata, uid };
  const deployment = console.world.cluster.put(owned.deployments, {
    metadata: { ...inSystem(pod), ownerReferences: controlled('CoreObjectStore', above) },
  });
  putPod(deployment, pod);
}

/** What the cluster makes of a Deployment. */
function putPod(deployment: KubeObject, pod: string): void {
  const { cluster } = console.world;
  const set = cluster.put(replicaSets, {
    metadata: { ...inSystem(`${pod}-set`), ownerReferences: controlled('Deployment', deployment.metadata) },
  });
  cluster.put(pods, {
    metadata: { ...inSystem(pod), ownerReferences: controlled('ReplicaSet', set.metadata) },
    spec: { containers: [{ name: 'server' }] },
    status: { phase: 'Running', containerStatuses: [{ name: 'server', state: { running: {} } }] },
  } as never);
}

spec.before(async () => {
  console = await serveConsole();
  const { world, served } = console;
  // A service of the same name stands beside it.
  const store = world.cluster.put(objectStores, { metadata: inSystem('web'), spec: { mode: 'Server' } } as never);
  putServer(store, 'server-1');
  putServer(store, 'of-another', 'another uid');
  await until(() => served.operator.caches.get(objectStores, 'web'), 'the store is cached');
});
spec.after(() => console.stop());

const path = '/api/object-stores/web/console/create';
const target = { pod: 'server-1', container: 'server', command: ['echo', 'so full'] };
const address = (name: string) => `/api/v1/object-stores/web/console/stream?session=${name}`;
async function create(fields: object = {}): Promise<string> {
  const made = await console.served.post(path, { ...target, ...fields });
  if (made.status !== 201) throw new Error(made.text);
  const { session } = made.json() as { readonly session: string };
  await console.is(session, 'Active');
  return session;
}
const recorded = (name: string): Partial<CoreConsoleSession> => console.session(name) ?? {};

spec(
  'CON-009 CON-012 CON-014 CON-048 a console session of an object store has no project, environment or labels',
  async () => {
    const { metadata, spec: written } = recorded(await create());
    assert.equal([written?.app, written?.project, written?.environment, written?.pod], ['web', '', '', 'server-1']);
    assert.equal(metadata?.labels ?? {}, {});
    assert.is(metadata?.namespace, systemNamespace);
  },
);

spec('CON-048 a console opens in the pod of the Deployment of an object-store server', async () => {
  const { served, world } = console;
  const made = await served.post('/api/v1/object-stores', { name: 'store', mode: 'Server', deploy: true });
  assert.is(made.status, 201);
  const found = () => world.cluster.all(owned.deployments).find(({ metadata }) => metadata.name === 'store');
  await until(found, 'its Deployment');
  putPod(found() as KubeObject, 'store-1');
  const asked = { pod: 'store-1', container: 'server', command: ['echo', 'so full'] };
  const answer = await served.post('/api/object-stores/store/console/create', asked);
  assert.is(answer.status, 201, answer.text);
});

spec('CON-048 a console is refused when the pod is not controlled by the store or the store is missing', async () => {
  const { served } = console;
  for (const pod of ['of-another', 'web-1', 'none']) {
    const answer = await served.post(path, { ...target, pod });
    assert.equal(
      [answer.status, answer.text],
      [400, '{"error":"pod is not running or pod is not part of the app"}'],
      pod,
    );
  }
  assert.is((await served.post('/api/object-stores/none/console/create', target)).status, 404);
});

spec(
  'CON-035 CON-050 CON-070 the output of a command is streamed and its end recorded without a WebSocket',
  async () => {
    const { served, is, world } = console;
    const name = await create();
    const answer = await served.ask(address(name));
    assert.equal(
      [answer.status, answer.headers['content-type'], answer.text],
      [200, 'application/octet-stream', 'so full\n'],
    );
    await is(name, 'Closed');
    assert.is(recorded(name).status?.reason, 'Stream ended');
    assert.is(world.exec.commands.at(-1)?.execution.interactive, false);
  },
);

spec('CON-046 CON-050 an object-store console is a terminal over a WebSocket', async () => {
  const { served, is, bearer } = console;
  const name = await create({ command: ['sh'] });
  const terminal = await openTerminal(`${served.url}${address(name)}`, bearer);
  terminal.type('hello\n');
  await terminal.sees('hello');
  terminal.type('exit\n');
  await terminal.closed;
  await is(name, 'Closed');
  assert.is(recorded(name).status?.reason, 'Stream ended');
});

spec(
  'CON-047 CON-053 a command stream is refused when its origin is foreign or the session is not its own',
  async () => {
    const { served, bearer } = console;
    const name = await create();
    const cookie = served.cookieOf();
    for (const headers of [{ cookie, origin: 'https://evil.example' }, { cookie }]) {
      const answer = await served.askPlain(address(name), { headers });
      assert.equal([answer.status, answer.text], [403, '{"error":"request origin could not be verified"}']);
    }
    assert.is(recorded(name).status?.terminal, undefined);
    assert.is((await served.ask(address(await console.create()))).status, 404);
    assert.is((await refusedTerminal(console.address(name), bearer)).status, 404);
    const { token } = await served.makeToken({ name: 'a viewer', role: 'viewer' });
    assert.is((await served.askAs(token, address(name))).status, 403);
  },
);

spec.run();
