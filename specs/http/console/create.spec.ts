import * as assert from 'uvu/assert';
import type { ConsoleCreated, ConsoleSessionItem } from '../../../http/api.ts';
import { annotation, label } from '../../../crds/names.ts';
import { actorOf } from '../../../rules/consoleSession/newSession.ts';
import { consoleSessions } from '../../../runtime/services/cluster/kinds.ts';
import { putCopy } from '../../support/copies.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { type Console, serveConsole } from './given.ts';

const spec = suite('creating a console session');
let console: Console;
spec.before(async () => {
  console = await serveConsole();
});
spec.after(() => console.stop());

const path = '/api/apps/web/console/create';
const refusal = (text: string) => `{"error":${JSON.stringify(text)}}`;
const noTarget = 'a running pod and container are required';
const unfit = 'pod is not running or pod is not part of the app';
const noCommand = 'command is required';

spec(
  'CON-008 CON-010 CON-011 CON-013 CON-015 CON-016 CON-017 CON-018 CON-045 CON-066 a created session records its caller, target and command',
  async () => {
    const { served, session, target, bearer } = console;
    const made = await served.post(path, { ...target, command: ['ls', '-l'], timeoutSeconds: 60 });
    assert.is(made.status, 201);
    const { session: name, phase } = made.json() as { readonly session: string; readonly phase: string };
    assert.match(name, /^console-[a-z2-7]{16}$/);
    assert.ok(['Pending', 'Active'].includes(phase));
    const { metadata, spec: written } = session(name) ?? { metadata: { name: '' }, spec: null };
    assert.equal(written, {
      app: 'web',
      project: 'shop',
      environment: 'production',
      pod: 'web-1',
      container: 'app',
      actor: 'admin',
      command: ['ls', '-l'],
      timeoutSeconds: 60,
    });
    assert.equal(metadata.labels, { [label.app]: 'web', [label.project]: 'shop', [label.environment]: 'production' });
    assert.is(metadata.ownerReferences, undefined);
    assert.ok(metadata.annotations?.[annotation.podUid]);
    const headers = { ...bearer, 'content-type': 'application/json' };
    const byToken = await served.askPlain(path, { method: 'POST', headers, body: JSON.stringify(target) });
    const { session: other } = byToken.json() as { readonly session: string };
    assert.is(session(other)?.spec.actor, 'token:a script');
  },
);

spec('CON-019 a session without an actor is recorded as opened by the dashboard', () => {
  assert.equal([actorOf(''), actorOf('admin'), actorOf('token:a script')], ['dashboard', 'admin', 'token:a script']);
});

spec('CON-045 a form creates a session with a command of one word and no repeated field', async () => {
  const { served, session } = console;
  const form = (body: string) =>
    served.ask(path, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body });
  const made = await form('pod=web-1&container=app&command=sh');
  assert.is(made.status, 201, made.text);
  assert.equal(session((made.json() as { readonly session: string }).session)?.spec.command, ['sh']);
  assert.is((await form('pod=web-1&container=app&command=sh&command=-c')).status, 400);
});

for (const [ids, what, fields, text] of [
  ['CON-055', 'no pod', { pod: '' }, noTarget],
  ['CON-055', 'no container', { container: undefined }, noTarget],
  ['CON-055', 'no target before no command', { pod: undefined, command: [] }, noTarget],
  ['CON-056', 'a pod that is not there', { pod: 'web-9' }, unfit],
  ['CON-056', 'a path', { pod: '../../kube-system/pods/x' }, unfit],
  ['CON-056', 'an init container', { container: 'init' }, unfit],
  ['CON-056', 'a container that ended', { container: 'ended' }, unfit],
  ['CON-056', 'a container that is not there', { container: 'web' }, unfit],
  ['CON-057', 'no command', { command: undefined }, noCommand],
  ['CON-057', 'an empty command', { command: [] }, noCommand],
  ['CON-057', 'an empty word', { command: [''] }, noCommand],
  ['CON-057', 'a text', { command: 'sh' }, noCommand],
  ['CON-058', 'nine words', { command: 'a b c d e f g h i'.split(' ') }, noCommand],
] as const)
  spec(`${ids} ${what} is refused: ${text}`, async () => {
    const { served, target, world } = console;
    const before = world.cluster.all(consoleSessions).length;
    const answer = await served.post(path, { ...target, ...fields });
    assert.equal([answer.status, answer.text], [400, refusal(text)]);
    assert.is(world.cluster.all(consoleSessions).length, before);
  });

spec('CON-023 a command of eight words is accepted, and a number is refused', async () => {
  const { create, served, target } = console;
  await create({ command: 'a b c d e f g h'.split(' ') });
  const answer = await served.post(path, { ...target, command: 7 });
  assert.is(answer.status, 400);
});

spec('CON-056 a pod belongs to the service by its controllers and not by its labels', async () => {
  const { served, target, world } = console;
  await console.the.deployed({ name: 'shop' });
  putCopy(world, { app: 'web', name: 'labelled', isOwned: false });
  putCopy(world, { app: 'web', name: 'of-another', deployment: 'impostor' });
  putCopy(world, { app: 'shop', name: 'shop-1' });
  putCopy(world, { app: 'web', name: 'elsewhere', namespace: 'shop-testing' });
  putCopy(world, { app: 'web', name: 'starting', isRunning: false });
  for (const pod of ['labelled', 'of-another', 'shop-1', 'elsewhere', 'starting']) {
    const answer = await served.post(path, { ...target, pod });
    assert.equal([pod, answer.status, answer.text], [pod, 400, refusal(unfit)]);
  }
  putCopy(world, { app: 'web', name: 'web-2' });
  assert.is((await served.post(path, { ...target, pod: 'web-2' })).status, 201);
});

spec('CON-055 CON-065 a session of a sleeping service is refused because no pod runs', async () => {
  const { served, target } = console;
  await console.the.deployed({ name: 'asleep' });
  const answer = await served.post('/api/apps/asleep/console/create', target);
  assert.equal([answer.status, answer.text], [400, refusal(noTarget)]);
});

spec('CON-025 CON-026 CON-027 CON-028 a session time out of range is replaced by the default', async () => {
  for (const [asked, kept] of [
    [900, 900],
    [901, 300],
    [0, 300],
    [-1, 300],
    [undefined, 300],
  ] as const) {
    const name = await console.create({ timeoutSeconds: asked });
    await console.is(name, 'Active');
    assert.is(console.session(name)?.spec.timeoutSeconds, kept, String(asked));
  }
});

spec(
  'CON-051 CON-052 CON-063 only an admin creates a session, and a viewer is refused with its own message',
  async () => {
    const { served, target } = console;
    const body = JSON.stringify(target);
    const as = async (fields: object) => {
      const { token } = await served.makeToken({ name: JSON.stringify(fields), ...fields });
      const answer = await served.askAs(token, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return [answer.status, answer.status === 403 ? (answer.json() as { error: string }).error : ''];
    };
    const notAdmin = 'opening a console needs an admin session or an admin workspace token';
    assert.equal(await as({ role: 'viewer' }), [403, 'Your viewer role cannot open consoles.']);
    assert.equal(await as({ role: 'observer' }), [403, notAdmin]);
    assert.equal(await as({ role: undefined, project: 'shop', environment: 'production' }), [403, notAdmin]);
    assert.equal(await as({ role: 'admin' }), [201, '']);
    assert.is((await served.askPlain(path, { method: 'POST', body })).status, 401);
  },
);

spec('the sessions of a service are listed newest first and only to admins', async () => {
  const { served, create } = console;
  const first = await create();
  await console.is(first, 'Active');
  const second = await create();
  await console.is(second, 'Active');
  const items = async () =>
    (await console.the.read<{ readonly items: readonly ConsoleSessionItem[] }>('/apps/web/console/sessions')).items;
  await until(
    async () => (await items()).some(({ session, startedAt }) => session === second && startedAt),
    'it is listed',
  );
  assert.equal(
    (await items()).slice(0, 2).map(({ session }) => session),
    [second, first],
  );
  const { token } = await served.makeToken({ name: 'a viewer', role: 'viewer' });
  assert.is((await served.askAs(token, '/api/apps/web/console/sessions')).status, 403);
});

spec('CON-040 a session outlives its service', async () => {
  const { served, target, session, the, world } = console;
  await the.deployed({ name: 'brief' });
  putCopy(world, { app: 'brief', name: 'brief-1' });
  const made = await served.post('/api/apps/brief/console/create', { ...target, pod: 'brief-1' });
  const { session: name } = made.json() as ConsoleCreated;
  assert.is((await the.remove('?confirmName=brief', 'brief')).status, 200);
  await until(() => the.stored('brief') === undefined, 'the service is deleted');
  assert.is(session(name)?.spec.app, 'brief');
});

spec.run();
