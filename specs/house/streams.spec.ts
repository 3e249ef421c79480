import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { type Source, sources } from './sources.ts';
import { pipesIn, unheardIn, unisolatedIn } from './streams.ts';

const spec = suite('streams');

const isServed = ({ path }: Source) => /^(?:http|runtime)\//.test(path) && !path.startsWith('http/dashboard/');
/** It runs in the process of somebody who signed in there, and knows nothing of the server. */
const ofClient = 'http/mcp/listen.ts';
const served = sources.filter(isServed);
/** Read as it is written, so that the lines are those of the file. */
const found = (linesIn: (source: Pick<Source, 'code'>) => readonly number[], of: readonly Source[] = served) =>
  of.flatMap(({ path, text }) => linesIn({ code: text }).map((line) => `${path}:${line}`));

spec('streams are joined by pipeline, which ends both when either fails', () => {
  assert.ok(served.length > 500, 'the sources were not read');
  assert.equal(found(pipesIn), []);
});

spec('an emitter of error events has a listener in the file that creates the emitter', () => {
  assert.equal(found(unheardIn), []);
});

spec('every HTTP server runs each of its requests by itself', () => {
  const servers = served.filter(({ path }) => path !== ofClient);
  assert.equal(found(unisolatedIn, servers), []);
  assert.ok(servers.filter(({ code }) => code.includes('isolateRequests(')).length > 5, 'no server was found');
});

const lines = (of: (source: Pick<Source, 'code'>) => readonly number[], samples: readonly string[]) =>
  samples.filter((code) => of({ code }).length > 0);

const effect = `import { Effect } from 'effect'; import { retried } from './retried.ts'; import { createGzip } from 'node:zlib';`;
const joined = [
  'body.pipe(response);',
  'createReadStream(path).pipe(createGunzip()).pipe(out);',
  `${effect} const run = Effect.sync(read); source.pipe(response);`,
  `${effect} run.pipe(Effect.retry({ times: 3 }), createGzip());`,
  `${effect} input?.pipe(to.response, { end: false });`,
];
const steps = [
  `${effect} run.pipe(Effect.retry({ times: 3 }), Effect.scoped);`,
  `${effect} run.pipe((once) => Effect.timeout(once, 5), retried('put'));`,
  `${effect} const own = () => Effect.scoped; run.pipe(own());`,
];

spec('pipe of a stream is refused, and pipe of an Effect is accepted', () => {
  assert.equal(lines(pipesIn, joined), joined);
  assert.equal(lines(pipesIn, steps), []);
});

const made = `import { spawn } from 'node:child_process'; import { createReadStream } from 'node:fs'; import { createServer, request } from 'node:http'; import { request as secure } from 'node:https'; import { connect } from 'node:net'; import { Worker } from 'node:worker_threads';`;
const unheard = [
  'const file = createReadStream(path); file.resume();',
  'const file = createReadStream(path); file.once("error", end);',
  'function read() { const file = createReadStream(path); } function other() { file.on("error", end); }',
  'connect(port).on("data", take);',
  'const start = () => new Worker(url); const one = start(); one.on("exit", end);',
  'const { child } = { child: spawn("git") }; child.on("error", end);',
  'const child = spawn("git"); child.stdin.end(); child.on("error", end);',
  '(isSecure ? secure : request)(url).end();',
  'const ask = isSecure ? secure : request; ask(url).end();',
  'keep(createReadStream(path));',
  'export const read = (path) => createReadStream(path);',
  'const server = createServer(serve); server.listen(0);',
];
const heard = [
  'const file = createReadStream(path); file.on("error", end).resume();',
  'connect(port).on("data", take).on("error", end);',
  'await pipeline(createReadStream(path), response);',
  'const file = createReadStream(path); pipeline(file, response, done);',
  'async function all() { for await (const piece of createReadStream(path)) take(piece); }',
  'async function* all() { yield* createReadStream(path); }',
  'const start = () => new Worker(url); const one = start(); one.on("error", end);',
  'const child = spawn("git"); child.on("error", end); child.stdin.end();',
  'const ask = isSecure ? secure : request; const sent = ask(url); sent.on("error", end);',
  'const server = createServer(serve); isolateRequests(server, { onError });',
  'const created = createServer; const elsewhere = read(path);',
];

spec('an emitter without an error listener is refused, and one with a listener is accepted', () => {
  const all = (samples: readonly string[]) => samples.map((code) => `${made}\n${code}`);
  assert.equal(lines(unheardIn, all(unheard)), all(unheard));
  assert.equal(lines(unheardIn, all(heard)), []);
});

const servers = [
  `import { createServer } from 'node:http'; const server = createServer(serve).on('error', end);`,
  `import { createServer as secure } from 'node:https'; import { listen } from './other.ts'; listen(secure(serve));`,
];
const isolated = [
  `import { createServer } from 'node:http'; isolateRequests(createServer(serve), { onError });`,
  `import { createServer } from 'node:https'; import { listen } from './listen.ts'; listen(createServer(serve), host, 0);`,
  `import { createServer } from 'node:net'; const server = createServer(serve).on('error', end);`,
];

spec('an HTTP server whose requests share their errors is refused', () => {
  assert.equal(lines(unisolatedIn, servers), servers);
  assert.equal(lines(unisolatedIn, isolated), []);
});

spec.run();
