import { execFileSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import type { ConsoleCreated, NewApiToken, PodItem } from '../../http/api.ts';
import { type CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { consoleSessions } from '../../runtime/services/cluster/kinds.ts';
import { leases } from '../../runtime/lead/leaseRecord.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { seldom } from '../support/seldom.ts';
import { suite } from '../support/suite.ts';
import { openTerminal, refusedTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const spec = suite('a shell in a copy of the running product');
const seldomly = seldom(spec, 3);

let product: Product;
let token = '';
let pod = '';
let container = '';
const app = 'web';
const leaseSeconds = 4;
const settings = { env: { CORE_EXEC: 'local' }, args: ['--lease-seconds', String(leaseSeconds)] };

const base = () => product.endpoints.dashboard ?? '';
const send = (path: string, body: object) =>
  product.api(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const post = async <A>(path: string, body: object): Promise<A> => {
  const answer = await send(path, body);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as A;
};
const read = async <A>(path: string): Promise<A> => (await (await product.api(path)).json()) as A;
const bearer = () => ({ authorization: `Bearer ${token}` });
const create = (more: object = {}) =>
  post<ConsoleCreated>(`/api/apps/${app}/console/create`, { pod, container, command: ['sh'], ...more });
const address = (session: string) => `${base()}/api/apps/${app}/console/ws?session=${session}`;
const session = (name: string): Promise<CoreConsoleSession> => run(product.cluster.get(consoleSessions, { name }));
const phase = async (name: string) => (await session(name)).status?.phase;
const lines = (message: string) =>
  product
    .stderr()
    .split('\n')
    .filter((line) => line.includes(`"message":"${message}"`))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
/** The processes of this machine whose environment carries what a terminal has exported. */
const processes = (mark: string): readonly string[] =>
  execFileSync('ps', ['axeww', '-o', 'pid=,args='])
    .toString()
    .split('\n')
    .filter((line) => line.includes(`MARK=${mark}`) && !line.includes('ps axeww'));
const closedLines = () => lines('Console terminal closed').length;
const openedLines = () => lines('Console terminal opened').length;
const held = async () =>
  (await run(product.cluster.list(leases))).items.filter(({ metadata }) => metadata.name.startsWith('core-terminals-'));

spec.before(async () => {
  product = await startProduct(settings);
  const { name: project } = await post<{ readonly name: string }>('/api/projects', { displayName: 'shop' });
  await post('/api/apps', {
    project,
    environment: 'production',
    name: app,
    source: 'image',
    image: 'nginx:1.27',
    deploy: true,
  });
  const running = async () => {
    const { items = [] } = await read<{ readonly items?: readonly PodItem[] }>(`/api/apps/${app}/pods`);
    return items.find(({ ready }) => ready);
  };
  await until(running, 'a copy runs');
  const found = await running();
  pod = found?.name ?? '';
  container = found?.containers[0]?.name ?? '';
  token = (await post<NewApiToken>('/api/tokens', { name: 'a script', role: 'admin' })).token;
});
spec.after(async () => {
  await product.end('SIGTERM');
  product.clean();
});

spec(
  'CON-006 CON-038 CON-039 CON-045 CON-046 CON-066 CON-069 CON-071 a shell in a console session answers, and its end is recorded',
  async () => {
    const { session: name, phase: first } = await create();
    assert.ok(['Pending', 'Active'].includes(first), first);
    const terminal = await openTerminal(address(name), bearer());
    terminal.type('echo out-$((40+2))\n');
    await terminal.sees('out-42');
    assert.is((await session(name)).status?.terminal?.holder.startsWith('core-terminals-'), true);
    terminal.type('exit 3\n');
    assert.equal(await terminal.closed, { code: 1000, reason: 'Terminal closed' });
    assert.equal(terminal.told, ['{"exit":{"code":3}}']);
    await until(async () => (await phase(name)) === 'Closed', 'the session is closed');
    const { reason, endedAt, terminal: holder } = (await session(name)).status ?? {};
    assert.equal([reason, typeof endedAt, holder], ['Terminal closed', 'string', undefined]);
    for (const message of ['Console terminal opened', 'Console terminal closed']) {
      await until(() => lines(message).length > 0, message);
      const [line] = lines(message);
      assert.equal([line?.['app'], line?.['pod'], line?.['actor']], [app, pod, 'token:a script']);
      assert.not.ok(JSON.stringify(line).includes(name));
    }
    await until(async () => (await held()).length === 0, 'no lease is left');
  },
);

spec(
  'CON-034 CON-041 CON-042 CON-059 CON-060 CON-072 CON-073 a console session has one terminal at a time, and none after its end',
  async () => {
    const { session: name } = await create();
    const terminal = await openTerminal(address(name), bearer());
    const second = await refusedTerminal(address(name), bearer());
    assert.equal([second.status, second.text], [409, '{"error":"this console session already has an open terminal"}']);
    terminal.type('export MARK=tab; echo still-$((1+1)); sleep 4321\n');
    await terminal.sees('still-2');
    await until(() => processes('tab').length > 0, 'a command runs');
    terminal.socket.close();
    await until(async () => (await phase(name)) === 'Closed', 'it is closed with its tab');
    await until(() => processes('tab').length === 0, 'nothing of the shell runs');
    const late = await refusedTerminal(address(name), bearer());
    assert.equal([late.status, late.text], [410, '{"error":"console session has ended"}']);
    assert.is(late.headers['x-frame-options'], 'DENY');
    await until(() => closedLines() === openedLines(), 'its end is logged');
  },
);

spec('CON-064 CON-068a a console session ends at its limit while a user types', async () => {
  const { session: name } = await create({ timeoutSeconds: 2 });
  const terminal = await openTerminal(address(name), bearer());
  terminal.type('export MARK=limit; sleep 4321\n');
  await until(() => processes('limit').length > 0, 'a command runs');
  assert.equal(await terminal.closed, { code: 1008, reason: 'Session time limit reached' });
  await until(async () => (await phase(name)) === 'Expired', 'the session is over');
  assert.is((await session(name)).status?.reason, 'Session timeout');
  await until(() => processes('limit').length === 0, 'nothing of the shell runs');
  await until(() => closedLines() === openedLines(), 'its end is logged');
});

seldomly(
  'CON-071b a console session is available within 1.2 times the lease after kill -9, and its end is logged',
  async () => {
    const { session: name } = await create();
    const terminal = await openTerminal(address(name), bearer());
    terminal.type('export MARK=killed; sleep 4321\n');
    await until(() => processes('killed').length > 0, 'a command runs');
    const { dataDir } = product;
    await product.end('SIGKILL');
    const restarted = await startProduct({ ...settings, dataDir });
    product = restarted;
    const from = Date.now();
    await until(async () => (await session(name)).status?.terminal === undefined, 'its holder is known to be dead');
    // A machine that is slow to start is slow in all of it.
    assert.ok(Date.now() - from <= leaseSeconds * 1_200 + restarted.readyMs, `${Date.now() - from} ms`);
    assert.is(await phase(name), 'Active');
    await until(() => closedLines() === 1, 'the end of its terminal is logged');
    assert.equal(processes('killed'), []);
    assert.equal(await held(), []);
    const again = await openTerminal(address(name), bearer());
    again.type('echo again-$((1+1))\n');
    await again.sees('again-2');
    again.socket.terminate();
    await until(async () => (await phase(name)) === 'Closed', 'it is closed');
  },
);

seldomly('CON-039 CON-068a a limit that passes after kill -9 leaves no shell and no unwritten line', async () => {
  const { session: name } = await create({ timeoutSeconds: leaseSeconds });
  const before = openedLines();
  const terminal = await openTerminal(address(name), bearer());
  terminal.type('export MARK=late; sleep 4321\n');
  await until(() => processes('late').length > 0, 'a command runs');
  await until(() => openedLines() === before + 1, 'it is logged');
  const { dataDir } = product;
  await product.end('SIGKILL');
  product = await startProduct({ ...settings, dataDir });
  await until(async () => (await phase(name)) === 'Expired', 'its time is over');
  await until(() => closedLines() === 1, 'the end of its terminal is logged');
  assert.equal(processes('late'), []);
  await until(async () => (await session(name)).status?.owedLines === undefined, 'nothing is owed');
  await until(async () => (await held()).length === 0, 'no lease is left');
});

seldomly('a stopping server closes its terminals and leaves no shell', async () => {
  const made = await Promise.all([create(), create()]);
  const before = closedLines();
  const terminals = await Promise.all(made.map(({ session: name }) => openTerminal(address(name), bearer())));
  for (const terminal of terminals) terminal.type('export MARK=stopped; sleep 4321\n');
  await until(() => processes('stopped').length > 1, 'commands run');
  const { dataDir, stderr } = product;
  assert.is(await product.end('SIGTERM'), 0);
  assert.equal(await Promise.all(terminals.map(async ({ closed }) => (await closed).code)), [1001, 1001]);
  assert.equal(processes('stopped'), []);
  assert.is(stderr().match(/"message":"Console terminal closed"/g)?.length, before + made.length);
  product = await startProduct({ ...settings, dataDir });
  for (const { session: name } of made) assert.is(await phase(name), 'Closed');
});

spec.run();
