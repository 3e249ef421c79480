import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { once } from 'node:events';
import { Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import { machineNames, namesOf, simulatedNames } from '../../../runtime/services/cluster/names.ts';
import { NotFound } from '../../../runtime/services/cluster/cluster.ts';
import { type FunctionCall, type FunctionAnswer, httpFunctions } from '../../../runtime/services/functions.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('calls of functions over HTTP');
const { call } = httpFunctions(machineNames);

async function calling(listener: RequestListener, asked: Partial<FunctionCall> = {}) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=1`;
  try {
    const usual = { url, method: 'POST', headers: {}, body: null, timeoutMs: 60_000 } as const;
    return await Effect.runPromise(Effect.result(call({ ...usual, ...asked })));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const answered = async (listener: RequestListener, asked: Partial<FunctionCall> = {}): Promise<FunctionAnswer> => {
  const result = await calling(listener, asked);
  if (Result.isFailure(result)) throw result.failure;
  return result.success;
};
const failed = async (listener: RequestListener, asked: Partial<FunctionCall> = {}) => {
  const result = await calling(listener, asked);
  if (Result.isSuccess(result)) throw new Error(`it answered ${result.success.status}`);
  const { message, late } = result.failure;
  return { why: message, late };
};

spec('a function receives the request unchanged, and its answer is returned complete', async () => {
  const told: string[] = [];
  const listener: RequestListener = (request, response) => {
    told.push(`${request.method} ${request.url} ${String(request.headers['x-sent'])}`);
    request.on('data', (part: Buffer) => told.push(part.toString()));
    request.on('end', () => response.writeHead(500, { 'x-many': ['one', 'two'] }).end('gone wrong: ä'));
  };
  const answer = await answered(listener, { method: 'PUT', headers: { 'x-sent': 'yes' }, body: 'words' });
  assert.equal(told, ['PUT /a?b=1 yes', 'words']);
  assert.equal([answer.status, answer.headers['x-many'], answer.body], [500, 'one, two', 'gone wrong: ä']);
  assert.ok(Number.isInteger(answer.durationMs) && answer.durationMs >= 0);
});

spec('a redirect is an answer, and is not followed', async () => {
  let asked = 0;
  const answer = await answered((_, response) => {
    asked += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  assert.equal([asked, answer.status, answer.headers['location']], [1, 302, '/elsewhere']);
});

spec('a call fails as late when the function does not answer in time, before or within the body', async () => {
  assert.is((await failed(() => {}, { timeoutMs: 200 })).late, true);
  const stopping: RequestListener = (_, response) => void response.writeHead(200).write('a part');
  assert.is((await failed(stopping, { timeoutMs: 200 })).late, true);
});

spec('an unreachable, aborted or endless answer of a function is reported with a message', async () => {
  const nowhere = await failed(() => {}, { url: 'http://127.0.0.1:1/' });
  assert.equal([nowhere.late, nowhere.why.includes('ECONNREFUSED')], [false, true]);
  const broken = await failed((request) => request.socket.destroy());
  assert.equal([broken.late, broken.why === ''], [false, false]);
  const long = await failed((_, response) => response.end('a'.repeat(1024 * 1024 + 1)));
  assert.equal(long, { late: false, why: 'the answer is longer than 1048576 bytes' });
  assert.is((await answered((_, response) => response.end('a'.repeat(1024 * 1024)))).body.length, 1024 * 1024);
});

/** What a call at a port of a name comes to. */
async function comesTo({ call: named }: ReturnType<typeof httpFunctions>, port: number, host = 'greet.shop.svc') {
  const asked = { method: 'GET', headers: {}, body: null, timeoutMs: 60_000 } as const;
  const result = await Effect.runPromise(Effect.result(named({ ...asked, url: `http://${host}:${port}/` })));
  return Result.isSuccess(result) ? result.success.body : result.failure.message;
}

spec('a function is reached by its Service when Service addresses are on this machine', async () => {
  const server = createServer((request, response) => response.end(request.headers.host)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked: unknown[] = [];
  const found = httpFunctions(
    namesOf({
      get: (_, name) => {
        asked.push(name);
        return name.name === 'greet'
          ? Effect.succeed({ spec: { clusterIP: '127.0.0.1' } } as never)
          : Effect.fail(new NotFound({ what: name.name }));
      },
    }),
  );
  assert.is(await comesTo(found, port), `greet.shop.svc:${port}`);
  assert.is(await comesTo(found, port, 'none.shop.svc'), 'there is no Service none.shop.svc');
  assert.equal(asked, [
    { name: 'greet', namespace: 'shop' },
    { name: 'none', namespace: 'shop' },
  ]);
  server.closeAllConnections();
  server.close();
});

spec('an unknown host is reported without a code, and with its cause when nodes run no containers', async () => {
  const lookup: LookupFunction = (host, _, give) => give(Object.assign(new Error(host), { code: 'ENOTFOUND' }), '');
  for (const [names, why] of [
    [machineNames, 'the name greet.shop.svc is not known where Core runs'],
    [simulatedNames, 'the nodes are simulated and run no code; with CORE_NODES=podman they do'],
  ] as const)
    assert.is(await comesTo(httpFunctions({ ...names, lookup }), 1), why);
});

spec.run();
