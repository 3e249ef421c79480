import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';
import { Effect, Fiber, Stream } from 'effect';
import * as assert from 'uvu/assert';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { backupJobs } from '../../../runtime/owned/addonKinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { kubeCluster } from '../../../runtime/services/kube/cluster.ts';
import { failureOf } from '../../../runtime/services/kube/failure.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('client of the Kubernetes API');

const configOf = (server: string, token: string): KubeConfig => {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'one', server, skipTLSVerify: true }, { name: 'nobody', token });
  return config;
};

/** A server for as long as the work lasts. */
async function serving(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const build = (version: string) => ({
  apiVersion: 'core.platform/v1alpha1',
  kind: 'CoreBuild',
  metadata: { name: 'one', uid: 'u', resourceVersion: version },
  status: {},
});

spec('a watch reports an own write as the same object that the write returned', () =>
  serving(
    (request, response) => {
      if (!request.url?.includes('watch=true')) return void response.end(`${JSON.stringify(build('7'))}\n`);
      for (const version of ['7', '8'])
        response.write(`${JSON.stringify({ type: 'MODIFIED', object: build(version) })}\n\n`);
      response.end(`${JSON.stringify({ object: build('9'), type: 'DELETED' })}\n`);
    },
    async (url) => {
      const cluster = kubeCluster(configOf(url, 'a'));
      const written = await Effect.runPromise(cluster.patchStatus(builds, { name: 'one' }, {}));
      const changes = await Effect.runPromise(
        Stream.runCollect(cluster.watch(builds, { resourceVersion: '1', silenceMs: 9_000 })),
      );
      const [own, other, last] = [...changes];
      assert.ok(own?.type === 'modified' && own.object === written);
      assert.equal(other, { type: 'modified', object: build('8') });
      assert.equal(last, { type: 'deleted', object: build('9') });
    },
  ),
);

spec('a list or a watch yields every object with its kind, also when the server omits the kind', () =>
  serving(
    (request, response) => {
      const item = { metadata: { name: 'one' } };
      if (request.url?.includes('watch=true'))
        return void response.end(`${JSON.stringify({ type: 'ADDED', object: item })}\n`);
      response.end(JSON.stringify({ metadata: {}, items: [item, { ...item, apiVersion: 'v1', kind: 'Secret' }] }));
    },
    async (url) => {
      const cluster = kubeCluster(configOf(url, 'a'));
      const whole = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' } };
      assert.equal((await Effect.runPromise(cluster.list(secrets))).items, [whole, whole]);
      const jobs = await Effect.runPromise(cluster.list(backupJobs));
      assert.is(jobs.items[0]?.apiVersion, 'batch/v1');
      const watch = cluster.watch(secrets, { resourceVersion: '1', silenceMs: 9_000 });
      const [added] = await Effect.runPromise(Stream.runCollect(watch));
      assert.equal(added, { type: 'added', object: whole });
    },
  ),
);

spec('DB-151 an error of the API is one line without HTML, and names an unavailable webhook', () => {
  const told = (code: number, text: string) => errorMessage(failureOf(code, text));
  const status = (message: string) => JSON.stringify({ kind: 'Status', message });
  const call =
    'Internal error occurred: failed calling webhook "vcluster.cnpg.io": failed to call webhook: Post "https://a.b.svc:443/validate?timeout=10s": dial tcp 10.96.0.9:443: connect: connection refused';
  assert.is(told(404, '404 page not found\n'), 'NotFound: the API serves no such kind');
  assert.is(told(404, status('namespaces "a" not found')), 'NotFound: namespaces "a" not found');
  assert.is(told(502, '<html>\n<body>Bad Gateway</body></html>\n'), 'the API answered 502');
  assert.is(told(500, status(call)), 'webhook "vcluster.cnpg.io" does not answer');
  assert.is(told(403, ''), 'forbidden');
  assert.is(told(422, status('it is wrong\n')), 'it is wrong');
  assert.is(told(503, 'upstream is away\nat 12:00\n'), '503 upstream is away');
  assert.is(told(500, '"text"'), '500 "text"');
});

spec('a watch reports its acceptance by the server, and none when it was refused', () => {
  let opened = 0;
  const counting = Effect.sync(() => void (opened += 1));
  return serving(
    (request, response) => {
      response.statusCode = request.url?.includes('resourceVersion=1') ? 200 : 410;
      response.end('{}');
    },
    async (url) => {
      const cluster = kubeCluster(configOf(url, 'a'));
      const watch = (resourceVersion: string) =>
        Effect.runPromise(
          Effect.ignore(
            Stream.runDrain(cluster.watch(builds, { resourceVersion, silenceMs: 9_000, opened: counting })),
          ),
        );
      await watch('1');
      assert.is(opened, 1);
      await watch('2');
      assert.is(opened, 1);
    },
  );
});

spec('a request is repeated with new credentials when the old ones are refused', () => {
  const came: (string | undefined)[] = [];
  return serving(
    ({ headers: { authorization } }, response) => {
      came.push(authorization);
      response.statusCode = authorization === 'Bearer new' ? 200 : 401;
      response.end(JSON.stringify(build('7')));
    },
    async (url) => {
      const cluster = kubeCluster(configOf(url, 'old'), () => configOf(url, 'new'));
      const read = () => Effect.runPromise(cluster.get(builds, { name: 'one' }));
      assert.is((await read()).metadata.resourceVersion, '7');
      await read();
      assert.equal(came, ['Bearer old', 'Bearer new', 'Bearer new']);
      const refused = kubeCluster(configOf(url, 'old'));
      const failed = await Effect.runPromise(Effect.flip(refused.get(builds, { name: 'one' })));
      assert.equal(JSON.parse(JSON.stringify(failed)), {
        _tag: 'Refused',
        status: 401,
        message: JSON.stringify(build('7')),
      });
    },
  );
});

spec('successive requests share a connection, and so does the watch after a list', async () => {
  const connections = new Set<unknown>();
  await serving(
    (request, response) => {
      connections.add(request.socket);
      if (request.url?.includes('watch=true')) return void response.end();
      response.end(JSON.stringify({ metadata: {}, items: [] }));
    },
    async (url) => {
      const cluster = kubeCluster(configOf(url, 'a'));
      const watched = Stream.runDrain(cluster.watch(builds, { resourceVersion: '1', silenceMs: 9_000 }));
      await Effect.runPromise(
        Effect.gen(function* () {
          for (let times = 0; times < 5; times++) yield* cluster.list(builds);
          yield* watched;
        }),
      );
    },
  );
  assert.is(connections.size, 1);
});

spec('a request of the Kubernetes client is aborted when its caller is interrupted', async () => {
  let begun = () => {};
  const isBegun = new Promise<void>((go) => (begun = go));
  let closed = () => {};
  const isClosed = new Promise<void>((go) => (closed = go));
  await serving(
    (request) => {
      request.socket.on('close', closed);
      begun();
    },
    async (url) => {
      const running = Effect.runFork(kubeCluster(configOf(url, 'a')).get(builds, { name: 'one' }));
      await isBegun;
      await Effect.runPromise(Fiber.interrupt(running));
      const isLate = new Promise<boolean>((go) => setTimeout(go, 5_000, true).unref());
      assert.not(await Promise.race([isClosed.then(() => false), isLate]), 'the request is still open');
    },
  );
});

spec.run();
