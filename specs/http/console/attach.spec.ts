import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { consoleSessions } from '../../../runtime/services/cluster/kinds.ts';
import { leases } from '../../../runtime/lead/leaseRecord.ts';
import { events, pods } from '../../../runtime/services/cluster/resources.ts';
import { NotFound } from '../../../runtime/services/cluster/cluster.ts';
import { putCopy } from '../../support/copies.ts';
import { suite } from '../../support/suite.ts';
import { openTerminal, refusedTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { type Console, serveConsole } from './given.ts';

const spec = suite('attaching a terminal');
let console: Console;
spec.before.each(async () => {
  console = await serveConsole();
});
spec.after.each(() => console.stop());

const refusal = (text: string) => `{"error":${JSON.stringify(text)}}`;
const external = refusal('request origin could not be verified');

spec(
  'CON-007 CON-046 CON-069 CON-071 a terminal forwards input and output of the shell and closes with its exit code',
  async () => {
    const { opened, is, session, world, lines, bearer } = console;
    const { name, terminal } = await opened();
    const [shell] = world.exec.commands;
    assert.equal([shell?.pod, shell?.execution.container, shell?.execution.interactive], ['web-1', 'app', true]);
    terminal.type('hello\n');
    await terminal.sees('hello');
    assert.not.ok(terminal.shown().includes('7197'));
    assert.is(terminal.headers['x-content-type-options'], 'nosniff');
    assert.match(String(terminal.headers['content-security-policy']), /default-src 'self'/);
    terminal.type('exit 7\n');
    assert.equal(await terminal.closed, { code: 1000, reason: 'Terminal closed' });
    assert.equal(terminal.told, ['{"exit":{"code":7}}']);
    await is(name, 'Closed');
    assert.is(session(name)?.status?.reason, 'Terminal closed');
    assert.equal((await console.refused(name, bearer)).status, 410);
    const requests = lines('request').map(({ fields }) => fields as { readonly path: string; readonly status: number });
    const [upgraded] = requests.filter(({ status }) => status === 101);
    assert.is(upgraded?.path, '/api/apps/web/console/ws');
  },
);

spec('CON-022 the command sh starts a login bash when there is one, and other commands run unchanged', async () => {
  const { opened, world } = console;
  await opened();
  await opened({ command: ['sh', '-i'] });
  const [plain, given] = world.exec.commands.map(({ execution }) => execution.command);
  assert.match(plain?.[2] ?? '', /command -v bash .* && exec bash -l; exec sh$/);
  assert.equal(given, ['sh', '-i']);
});

spec(
  'CON-047 CON-053 CON-061 a foreign origin gets the same refusal for any session and attaches to none',
  async () => {
    const { served, create, is, refused, session } = console;
    const cookie = served.cookieOf();
    const name = await create();
    await is(name, 'Active');
    const { port } = new URL(served.url);
    for (const headers of [
      { cookie },
      { cookie, origin: 'null' },
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: `http://127.0.0.1:${Number(port) + 1}` },
    ])
      for (const of of [name, 'console-aaaaaaaaaaaaaaaa']) {
        const answer = await refused(of, headers);
        assert.equal([answer.status, answer.text], [403, external]);
      }
    assert.is(session(name)?.status?.terminal, undefined);
    const ours = await openTerminal(console.address(name), { cookie, origin: served.url });
    assert.equal([(await refused(name, { cookie })).status, (await refused(name)).status], [403, 409]);
    ours.type('exit\n');
    await is(name, 'Closed');
    assert.equal([(await refused(name, { cookie })).status, (await refused(name)).status], [403, 410]);
  },
);

spec(
  'AUT-022 CON-054 SEC-014 any role attaches with the name of a session, and a stranger or a project token is refused',
  async () => {
    const { served, create, is, refused, address } = console;
    const name = await create();
    await is(name, 'Active');
    const bearerOf = async (fields: object) => ({
      authorization: `Bearer ${(await served.makeToken({ name: JSON.stringify(fields), ...fields })).token}`,
    });
    assert.is((await refused(name, {})).status, 401);
    assert.is((await refused(name, { authorization: 'Bearer gsw_no_token' })).status, 401);
    const project = await bearerOf({ role: undefined, project: 'shop', environment: 'production' });
    assert.is((await refused(name, project)).status, 403);
    for (const role of ['viewer', 'observer']) {
      const terminal = await openTerminal(address(await create()), await bearerOf({ role }));
      terminal.type('exit\n');
      await terminal.closed;
    }
  },
);

spec('CON-053 an attach is refused with 404 when the session is unknown or of another service or store', async () => {
  const { served, create, is, bearer, the } = console;
  const name = await create();
  await is(name, 'Active');
  await the.deployed({ name: 'shop' });
  const other = await refusedTerminal(`${served.url}/api/v1/apps/shop/console/ws?session=${name}`, bearer);
  assert.equal([other.status, other.text], [404, refusal('console session was not found')]);
  console.put('of-store', { project: '', environment: '' });
  await is('of-store', 'Active');
  for (const missing of ['of-store', 'console-aaaaaaaaaaaaaaaa', '../secrets/x'])
    assert.is((await console.refused(encodeURIComponent(missing))).status, 404, missing);
});

spec('CON-071d an attach checks the target and refuses another pod of the same name', async () => {
  const { create, is, refused, world, session } = console;
  const [name, later] = [await create(), await create()];
  await is(name, 'Active');
  await is(later, 'Active');
  world.cluster.drop(pods, 'web-1', 'shop-production');
  const gone = await refused(name);
  assert.equal([gone.status, gone.text], [400, refusal('pod is not running or pod is not part of the app')]);
  putCopy(world, { app: 'web', name: 'web-1' });
  assert.is((await refused(later)).status, 400);
  assert.is(session(name)?.status?.phase, 'Active');
  assert.equal(world.exec.commands, []);
});

spec('CON-071d a session created with kubectl passes the same checks at the attach', async () => {
  const { is, refused, put: made } = console;
  made('a-path', { pod: '../../kube-system/pods/x' });
  made('elsewhere', { project: 'other' });
  made('init', { container: 'init' });
  for (const name of ['a-path', 'elsewhere', 'init']) {
    await is(name, 'Active');
    assert.is((await refused(name)).status, 400, name);
  }
  made('right');
  await is('right', 'Active');
  const terminal = await console.attach('right');
  terminal.type('exit\n');
  await terminal.closed;
});

spec('CON-067a CON-067b an attach waits for a session to start and is refused after ten seconds', async () => {
  const { world, served, refused, attach } = console;
  const put = (name: string) => console.put(name, {}, { 'core.platform/paused': 'true' });
  put('late');
  put('never');
  await until(() => served.operator.caches.get(consoleSessions, 'never'), 'it is cached');
  const startedAt = Date.now();
  const [waiting, given] = [attach('late'), refused('never')];
  await Effect.runPromise(
    world.cluster.patch(
      consoleSessions,
      { name: 'late' },
      { metadata: { annotations: { 'core.platform/paused': null } } },
    ),
  );
  const terminal = await waiting;
  assert.ok(Date.now() - startedAt < 9_000);
  terminal.socket.terminate();
  const answer = await given;
  assert.equal([answer.status, answer.text], [409, refusal('console session has not started')]);
  assert.ok(Date.now() - startedAt >= 10_000);
});

spec('CON-069 an attach ends its recorded session when the command cannot be started', async () => {
  const { create, is, refused, world } = console;
  const name = await create();
  await is(name, 'Active');
  world.exec.failing = new NotFound({ what: 'pods "web-1" not found' });
  const answer = await refused(name);
  assert.is(answer.status, 502);
  assert.match(answer.text, /the terminal could not be opened/);
  await is(name, 'Closed');
});

spec('CON-041 CON-059 CON-072 one of two concurrent attaches on two replicas succeeds and stays open', async () => {
  const { served, create, is, bearer, address } = console;
  const other = await served.standBy();
  try {
    const name = await create();
    await is(name, 'Active');
    const dialled = await Promise.allSettled([
      openTerminal(address(name), bearer),
      openTerminal(address(name, other.url), bearer),
    ]);
    const opened = dialled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = dialled.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    assert.is(opened.length, 1);
    assert.match(refused[0] ?? '', /409: .*this console session already has an open terminal/);
    opened[0]?.type('hello\n');
    await opened[0]?.sees('hello');
    opened[0]?.type('exit\n');
    await is(name, 'Closed');
  } finally {
    await other.stop();
  }
});

spec('CON-062 an expired session is refused with 410', async () => {
  const name = await console.create({ timeoutSeconds: 1 });
  await console.is(name, 'Expired');
  assert.is((await console.refused(name)).status, 410);
  assert.equal(console.world.exec.commands, []);
});

spec('CON-036 CON-037 terminal input and output are not stored, and a session has no conditions', async () => {
  const { name, terminal } = await console.opened();
  terminal.type('a secret that was typed\n');
  await terminal.sees('a secret that was typed');
  terminal.type('exit\n');
  await console.is(name, 'Closed');
  const { world, served, session } = console;
  const kept = JSON.stringify([world.cluster.all(consoleSessions), world.cluster.all(events), served.lines]);
  assert.ok(kept.includes(name));
  assert.not.ok(kept.includes('a secret'));
  assert.not.ok('conditions' in (session(name)?.status ?? {}));
});

spec(
  'CON-071b the terminal of a dead process is released within 1.2 times its lease, and a live one is kept',
  async () => {
    const { served, create, is, session, bearer, address } = console;
    const other = await served.standBy();
    const name = await create();
    const living = await create();
    await is(name, 'Active');
    await is(living, 'Active');
    await openTerminal(address(name, other.url), bearer);
    const here = await openTerminal(address(living), bearer);
    await other.terminals.crash();
    const from = Date.now();
    await until(() => session(name)?.status?.terminal === undefined, 'it is released');
    assert.ok(Date.now() - from < 3_000 * 1.2 + 300, `${Date.now() - from} ms`);
    assert.is(console.phase(name), 'Active');
    assert.ok(session(living)?.status?.terminal);
    assert.is(
      console.world.cluster.all(leases).filter(({ metadata }) => metadata.name.startsWith('core-terminals')).length,
      1,
    );
    here.type('exit\n');
    await here.closed;
    await other.stop();
  },
);

spec.run();
