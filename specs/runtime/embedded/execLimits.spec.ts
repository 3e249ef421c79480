import { once } from 'node:events';
import { type IncomingMessage, type Server, ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { logLine } from '../../../runtime/services/log.ts';
import type { Call } from '../../../runtime/embedded/api/call.ts';
import type { Exit, Stdio } from '../../../runtime/embedded/api/podProcesses.ts';
import { StatusError } from '../../../runtime/embedded/api/status.ts';
import type { Wanted } from '../../../runtime/embedded/api/streaming/connection.ts';
import { type SessionLimits, createSessions } from '../../../runtime/embedded/api/streaming/sessions.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { close, error, stdin, stdout, v5 } from './channels.ts';

const spec = suite('limits of streaming connections');
const plain: Wanted = { stdin: true, stdout: true, stderr: false, tty: false };
const roomy: SessionLimits = { most: 9, pingMs: 3_600_000, idleMs: 3_600_000 };
/** Server and clients are one process: far longer than a busy machine keeps it from running. */
const [pingMs, idleMs] = [700, 1_500];

interface Ground {
  readonly connect: (options?: object) => Promise<WebSocket>;
  /** What is served on each connection, in their order. */
  readonly served: readonly Stdio[];
  readonly stop: () => void;
}

/** Ended after each test, also one that failed. */
const ends: (() => Promise<void>)[] = [];
spec.after.each(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A server whose every connection is served until its client is gone, or as told. */
async function ground(limits: SessionLimits, serve?: (stdio: Stdio) => Promise<Exit>, wanted = plain): Promise<Ground> {
  const sessions = createSessions(logLine, limits);
  const served: Stdio[] = [];
  const untilGone = ({ gone }: Stdio) =>
    new Promise<Exit>((done) => gone.addEventListener('abort', () => done({ is: 'exited', code: 0 })));
  const server: Server = createServer();
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    const call = { request, response } as unknown as Call;
    try {
      sessions.check(call);
      sessions.open(call, wanted, (stdio) => {
        served.push(stdio);
        return (serve ?? untilGone)(stdio);
      });
    } catch (why) {
      response.writeHead(why instanceof StatusError ? why.body.code : 500, { Connection: 'close' });
      response.end(why instanceof Error ? why.message : '');
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  ends.push(async () => {
    sessions.stop();
    server.closeAllConnections();
    for (const socket of sockets) socket.terminate();
    await new Promise((done) => server.close(done));
  });
  const sockets: WebSocket[] = [];
  return {
    served,
    stop: sessions.stop,
    connect: (options = {}) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`, v5, options);
      sockets.push(socket);
      return new Promise((done, failed) => {
        socket.once('open', () => done(socket));
        socket.once('error', failed);
      });
    },
  };
}

async function closing(socket: WebSocket): Promise<number> {
  let code = 0;
  socket.once('close', (told) => (code = told));
  return until(() => code, 'the connection is closed');
}

spec('connections over the limit are refused with 429 until one closes', async () => {
  const { connect } = await ground({ ...roomy, most: 2 });
  const [first] = [await connect(), await connect()];
  const refusal = await connect().then(
    () => 'it was let in',
    (why: unknown) => String(why),
  );
  assert.match(refusal, /429/);
  first.close();
  const again = await until(() => connect().catch(() => null), 'a place is free');
  assert.is(again.readyState, WebSocket.OPEN);
});

spec('a connection ends when its client answers no ping', async () => {
  const { connect, served } = await ground({ ...roomy, pingMs });
  const answers = await connect();
  let pings = 0;
  answers.on('ping', () => (pings += 1));
  const halfOpen = await connect({ autoPong: false });
  assert.is(await closing(halfOpen), 1006);
  await until(() => served[1]?.gone.aborted, 'whoever served it knows');
  await until(() => pings > 3, 'pings go on');
  assert.is(answers.readyState, WebSocket.OPEN);
  assert.is(served[0]?.gone.aborted, false);
});

spec('a client paused by back pressure is not disconnected', async () => {
  const { connect, served } = await ground({ ...roomy, pingMs });
  const socket = await connect();
  // Nobody reads what is sent, so that the server reads no more either: not even answers to pings.
  for (let count = 0; count < 20; count += 1) socket.send(Buffer.alloc(100_000, stdin));
  let pings = 0;
  socket.on('ping', () => (pings += 1));
  await until(() => pings > 3, 'pings go on');
  assert.is(served[0]?.gone.aborted, false);
});

spec('an idle connection is closed, and input or output keeps it open', async () => {
  const { connect, served } = await ground({ ...roomy, pingMs, idleMs });
  const startedAt = Date.now();
  const [silent, talks, hears] = [await connect(), await connect(), await connect()];
  const chatter = setInterval(() => {
    talks.send(Buffer.of(stdin, 97));
    served[2]?.stdout.write('tick');
    served[1]?.stdin?.resume();
  }, 50);
  ends.push(() => Promise.resolve(clearInterval(chatter)));
  assert.is(await closing(silent), 1006);
  assert.ok(Date.now() - startedAt >= idleMs, 'not before its time');
  await until(() => Date.now() - startedAt > 2.5 * idleMs, 'a second idle time');
  assert.equal([talks.readyState, hears.readyState], [WebSocket.OPEN, WebSocket.OPEN]);
});

spec('unread input of a process is held back at the client until the process reads', async () => {
  const { connect, served } = await ground(roomy);
  const socket = await connect();
  const [chunk, chunks] = [Buffer.alloc(256 * 1_024, stdin), 160];
  for (let count = 0; count < chunks; count += 1) socket.send(chunk);
  const input = await until(() => served[0]?.stdin, 'it is served');
  await until(() => input.readableLength > 0, 'the first of it is here');
  // Turns enough for all of it to come, were it let in.
  for (let turn = 0; turn < 5_000 && socket.bufferedAmount > 0; turn += 1) await new Promise(setImmediate);
  assert.ok(input.readableLength < 2 * chunk.length, `${input.readableLength} bytes are kept here`);
  assert.ok(socket.bufferedAmount > 20_000_000, `${socket.bufferedAmount} bytes wait there`);
  let read = 0;
  input.on('data', (data: Buffer) => (read += data.length));
  await until(() => read === chunks * (chunk.length - 1), 'all of it is read').catch(() => {});
  assert.is(read, chunks * (chunk.length - 1));
});

spec('data after the end of the input is ignored', async () => {
  const { connect, served } = await ground(roomy);
  const socket = await connect();
  const answered = new Promise((done) => socket.once('pong', done));
  for (const message of [Buffer.of(stdin, 97), Buffer.of(close, stdin), Buffer.of(stdin, 98), Buffer.of(close, stdin)])
    socket.send(message);
  // Answered in their order: what was sent before has then come.
  socket.ping();
  const input = await until(() => served[0]?.stdin, 'it is served');
  const faults: unknown[] = [];
  input.on('error', (why) => faults.push(why));
  let read = '';
  input.on('data', (data: Buffer) => (read += data.toString()));
  await until(() => input.readableEnded, 'the input ends').catch(() => {});
  await answered;
  assert.equal([read, faults, socket.readyState], ['a', [], WebSocket.OPEN]);
});

spec('stderr of a terminal is part of stdout', async () => {
  const serve = async ({ stdin: input, stdout: out, stderr: err }: Stdio): Promise<Exit> => {
    if (input) await once(input, 'data');
    err.write('apart');
    out.write('together');
    return { is: 'exited', code: 0 };
  };
  const { connect } = await ground(roomy, serve, { ...plain, stderr: true, tty: true });
  const socket = await connect();
  const channels = new Set<number | undefined>();
  socket.on('message', (data: Buffer) => channels.add(data[0]));
  socket.send(Buffer.of(stdin, 97));
  assert.is(await closing(socket), 1000);
  assert.equal([...channels], [stdout, error]);
});

spec('a failure while serving is reported on the error channel', async () => {
  const { connect } = await ground(roomy, async ({ stdin: input }) => {
    if (input) await once(input, 'data');
    throw new Error('the node is on fire');
  });
  const socket = await connect();
  const messages: Buffer[] = [];
  socket.on('message', (data: Buffer) => messages.push(data));
  socket.send(Buffer.of(stdin, 97));
  assert.is(await closing(socket), 1000);
  const last = messages.at(-1) ?? Buffer.of();
  assert.is(last[0], error);
  assert.equal(JSON.parse(last.subarray(1).toString()), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Internal error occurred: the node is on fire',
    reason: 'InternalError',
    details: { causes: [{ message: 'the node is on fire' }] },
    code: 500,
  });
});

spec('a command ends when its client disconnects during output', async () => {
  const ended: string[] = [];
  const { connect, served } = await ground(roomy, async ({ stdout: out, gone }) => {
    while (!gone.aborted && !out.destroyed)
      if (!out.write(Buffer.alloc(64_000))) await once(out, 'drain', { signal: gone }).catch(() => {});
    ended.push('yes');
    return { is: 'exited', code: 0 };
  });
  const socket = await connect();
  await new Promise((done) => socket.once('message', done));
  socket.pause();
  socket.terminate();
  await until(() => served[0]?.gone.aborted, 'it is told');
  await until(() => ended.length === 1, 'the writer ends');
  const next = await connect();
  const [data] = await new Promise<readonly Buffer[]>((done) => next.once('message', (one: Buffer) => done([one])));
  assert.is(data?.[0], stdout);
});

spec('every connection ends when the server stops', async () => {
  const { connect, served, stop } = await ground(roomy);
  const socket = await connect();
  const closed = closing(socket);
  stop();
  assert.is(await closed, 1006);
  await until(() => served[0]?.gone.aborted, 'whoever served it knows');
});

spec.run();
