import { request } from 'node:http';
import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { frameIn } from '../../../http/console/frames.ts';
import { maxUnderWay } from '../../../http/console/converse.ts';
import { terminalLimits } from '../../../runtime/terminals/terminals.ts';
import { consoleSessions } from '../../../runtime/services/cluster/kinds.ts';
import { noAnswer } from '../../support/memory/exec.ts';
import { suite } from '../../support/suite.ts';
import { dial, openTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { type Console, serveConsole } from './given.ts';

const spec = suite('terminal protocol');
let console: Console;
spec.before(async () => {
  console = await serveConsole({ pingMs: 100 });
});
spec.after(() => console.stop());

const shellOf = ({ world }: Console) => world.exec.commands.findLast(({ execution }) => execution.interactive);
const shell = () => shellOf(console);

spec('a text frame is accepted only as a resize or an acknowledgement', () => {
  assert.equal(frameIn('{"resize":{"cols":80,"rows":24}}'), { is: 'resize', cols: 80, rows: 24 });
  assert.equal(frameIn('{"ack":0}'), { is: 'ack', bytes: 0 });
  for (const text of [
    '',
    'null',
    '[]',
    '{}',
    '{"resize":{"cols":0,"rows":24}}',
    '{"resize":{"cols":80,"rows":1001}}',
    '{"resize":{"cols":80.5,"rows":24}}',
    '{"resize":{"cols":"80","rows":24}}',
    '{"resize":{"cols":80,"rows":24,"more":1}}',
    '{"ack":-1}',
    '{"ack":1.5}',
    '{"ack":1,"resize":{"cols":80,"rows":24}}',
    '{"exit":{"code":0}}',
  ])
    assert.equal(frameIn(text), { is: 'wrong' }, text);
});

spec('a resize frame sets the window size of the shell', async () => {
  const { terminal } = await console.opened();
  terminal.say({ resize: { cols: 132, rows: 43 } });
  await until(() => shell()?.sizes.length === 1, 'the size is received');
  assert.equal(shell()?.sizes, [{ cols: 132, rows: 43 }]);
  terminal.socket.close();
});

for (const [what, send, code] of [
  ['that is no JSON', (socket: WebSocket) => socket.send('hello'), 1008],
  ['with an acknowledgement of more than was shown', (socket: WebSocket) => socket.send('{"ack":1000000}'), 1008],
  ['that is no text', (socket: WebSocket) => socket.send(Buffer.from([0xff, 0xfe]), { binary: false }), 1007],
  ['of more than 64 KiB', (socket: WebSocket) => socket.send(Buffer.alloc(64 * 1_024 + 1)), 1009],
] as const)
  spec(`a frame ${what} closes the terminal with ${code}`, async () => {
    const { name, terminal } = await console.opened();
    terminal.socket.on('error', () => {});
    send(terminal.socket);
    assert.is((await terminal.closed).code, code);
    await console.is(name, 'Closed');
  });

spec('a frame of 64 KiB is written to the shell', async () => {
  const { terminal } = await console.opened();
  terminal.socket.send(Buffer.alloc(64 * 1_024, 'x'));
  await until(() => shell()?.written().length === 64 * 1_024, 'it is written');
  terminal.socket.close();
});

spec('an acknowledging client receives all output, at most 256 KiB ahead', async () => {
  const { terminal } = await console.opened();
  await until(() => shell() !== undefined, 'the shell runs');
  terminal.say({ ack: 0 });
  terminal.type('go\n');
  await terminal.sees('go');
  const whole = 1_024 * 1_024;
  for (let said = 0; said < whole; said += 32 * 1_024) shell()?.say('x'.repeat(32 * 1_024));
  await until(() => shell()?.isHeld(), 'the shell is held');
  assert.ok(terminal.bytes() <= maxUnderWay + 32 * 1_024, String(terminal.bytes()));
  const acknowledging = setInterval(() => terminal.say({ ack: terminal.bytes() }), 5);
  await until(() => terminal.bytes() === whole + 3, 'all of it is shown');
  clearInterval(acknowledging);
  terminal.socket.close();
});

spec('the shell is paused while its client does not read', async () => {
  // A client that does not read answers no ping either: it must not count as gone meanwhile.
  const patient = await serveConsole({ pingMs: 60_000 });
  const { name, terminal } = await patient.opened();
  terminal.socket.pause();
  await until(() => {
    const held = shellOf(patient);
    for (let count = 0; count < 32 && held?.isHeld() === false; count++) held.say('y\n'.repeat(16 * 1_024));
    return held?.isHeld();
  }, 'the shell is held');
  terminal.socket.terminate();
  await patient.is(name, 'Closed');
  await patient.stop();
});

spec('the client is paused while its shell does not read', async () => {
  const { terminal } = await console.opened();
  shell()?.takes(false);
  const part = Buffer.alloc(60_000, 'x');
  const parts = 200;
  for (let count = 0; count < parts; count++) terminal.socket.send(part);
  const most = part.length * parts;
  await until(() => terminal.socket.bufferedAmount > 0 && (shell()?.written().length ?? 0) > 0, 'it is held');
  const held = shell()?.written().length ?? 0;
  assert.ok(held < most / 2, String(held));
  const taking = setInterval(() => shell()?.takes(true), 1);
  await until(() => shell()?.written().length === most, 'all of it arrives');
  clearInterval(taking);
  terminal.socket.close();
});

spec('a client that disappears without closing is detected, and its shell ends', async () => {
  const name = await console.create();
  const socket = new WebSocket(console.address(name).replace('http', 'ws'), {
    headers: console.bearer,
    autoPong: false,
  });
  await new Promise((open) => socket.once('open', open));
  const pid = shell()?.pid;
  await console.is(name, 'Closed');
  await until(() => !console.world.exec.shells().some((one) => one.pid === pid), 'its shell ends');
  socket.terminate();
});

spec('a shell that could not be ended while the cluster was unreachable ends when the cluster answers', async () => {
  const { world } = console;
  const { name, terminal } = await console.opened();
  const pid = shell()?.pid;
  const runs = () => world.exec.shells().some((one) => one.pid === pid);
  world.exec.failing = noAnswer;
  terminal.socket.close();
  await console.is(name, 'Closed');
  assert.ok(runs());
  world.exec.failing = null;
  await until(() => !runs(), 'its shell ends');
});

spec('CON-069 a terminal closes with a log line when its session is deleted or edited', async () => {
  const { world, lines } = console;
  for (const write of [
    (name: string) => world.cluster.remove(consoleSessions, { name }),
    (name: string) => world.cluster.patchStatus(consoleSessions, { name }, { phase: 'Closed' }),
    (name: string) => world.cluster.patchStatus(consoleSessions, { name }, { terminal: null }),
  ]) {
    const before = lines('Console terminal closed').length;
    const { name, terminal } = await console.opened();
    const pid = shell()?.pid;
    await Effect.runPromise(Effect.asVoid(write(name)));
    assert.equal(await terminal.closed, { code: 1000, reason: 'Terminal closed' });
    await until(() => !world.exec.shells().some((one) => one.pid === pid), 'its shell ends');
    await until(() => lines('Console terminal closed').length === before + 1, 'its end is logged');
    assert.equal(lines('Console terminal closed').at(-1)?.fields, {
      app: 'web',
      pod: 'web-1',
      actor: 'token:a script',
    });
  }
});

spec('CON-068a a terminal is closed at its time limit when the session is paused', async () => {
  const { world, session } = console;
  const { name, terminal } = await console.opened({ timeoutSeconds: 1 });
  await Effect.runPromise(
    world.cluster.patch(consoleSessions, { name }, { metadata: { annotations: { 'core.platform/paused': 'true' } } }),
  );
  assert.equal(await terminal.closed, { code: 1008, reason: 'Session time limit reached' });
  await console.is(name, 'Expired');
  assert.is(session(name)?.status?.reason, 'Session timeout');
});

spec('CON-046 a console address answers 426 without an upgrade and rejects an invalid handshake', async () => {
  const { served, create, is, address, bearer } = console;
  const name = await create();
  await is(name, 'Active');
  const plain = await served.ask(`/api/apps/web/console/ws?session=${name}`);
  assert.equal([plain.status, plain.headers['upgrade']], [426, 'websocket']);
  const headers = { ...bearer, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '12' };
  const { pathname, search } = new URL(address(name));
  const odd = await served.ask(`${pathname}${search}`, { headers });
  assert.is(odd.status, 400);
  assert.is(odd.headers['x-frame-options'], 'DENY');
  assert.is(console.session(name)?.status?.terminal, undefined);
});

spec('a request that offers another upgrade is served with its body', async () => {
  const { served, target, bearer } = console;
  const body = JSON.stringify(target);
  const answer = await new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const headers = {
      ...bearer,
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAAP__',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(
      `${served.url}/api/apps/web/console/create`,
      { method: 'POST', headers, agent: false },
      (got) => {
        let text = '';
        got.on('data', (part: Buffer) => (text += part.toString()));
        got.on('end', () => resolve({ status: got.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
  assert.is(answer.status, 201, answer.text);
  const elsewhere = await dial(`${served.url}/api/v1/apps`, bearer);
  assert.equal('status' in elsewhere && elsewhere.status, 403);
});

spec('at most 64 handshakes wait, and another is refused at once', async () => {
  const { world, served, address, bearer } = console;
  console.put('paused', {}, { 'core.platform/paused': 'true' });
  await until(() => served.operator.caches.get(consoleSessions, 'paused'), 'it is cached');
  const waiting = Array.from({ length: terminalLimits.waiting + 1 }, () => dial(address('paused'), bearer));
  const first = await Promise.race(waiting);
  assert.equal('status' in first && [first.status, first.text], [
    503,
    '{"error":"too many terminals are open, try again later"}',
  ]);
  await Effect.runPromise(
    world.cluster.patch(
      consoleSessions,
      { name: 'paused' },
      { metadata: { annotations: { 'core.platform/paused': null } } },
    ),
  );
  const answers = await Promise.all(waiting);
  const opened = answers.filter((one) => 'socket' in one);
  assert.is(opened.length, 1);
  assert.is(answers.filter((one) => 'status' in one && one.status === 409).length, terminalLimits.waiting - 1);
  for (const one of opened) if ('socket' in one) one.socket.terminate();
});

spec('a stopping server closes its terminals with 1001 and records their ends', async () => {
  const own = await serveConsole();
  const name = await own.create();
  const terminal = await openTerminal(own.address(name), own.bearer);
  await own.served.terminals.stop();
  assert.is((await terminal.closed).code, 1001);
  assert.is(own.phase(name), 'Closed');
  assert.equal(own.world.exec.shells(), []);
  await own.stop();
});

spec.run();
