import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';
import { Effect, Stream } from 'effect';
import * as assert from 'uvu/assert';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { kubeCluster } from '../../../runtime/services/kube/cluster.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('errors of the Kubernetes API');

const line = (status: object) =>
  JSON.stringify({ type: 'ERROR', object: { kind: 'Status', status: 'Failure', ...status } });

/** How a watch and a read fail on this response. */
async function failuresOf(answer: { readonly status: number; readonly text: string; readonly headers?: object }) {
  const server = createServer((_, response) => {
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
    response.end(`${answer.text}\n`);
  });
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go));
  const config = new KubeConfig();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  config.loadFromClusterAndUser({ name: 'one', server: url, skipTLSVerify: true }, { name: 'nobody' });
  const cluster = kubeCluster(config);
  const watched = Stream.runDrain(cluster.watch(builds, { resourceVersion: '1', silenceMs: 9_000 }));
  const watch = await Effect.runPromise(Effect.flip(watched));
  const read = answer.status < 400 ? null : await Effect.runPromise(Effect.flip(cluster.list(builds)));
  server.closeAllConnections();
  await new Promise((go) => server.close(go));
  return { watch, read };
}

const tell = (failure: object | null) => (failure === null ? null : JSON.parse(JSON.stringify(failure)));

spec('an error within a watch is reported in the words of its Status', async () => {
  const gone = await failuresOf({
    status: 200,
    text: line({ code: 410, reason: 'Expired', message: 'too old: 7 (9)' }),
  });
  assert.equal([gone.watch._tag, tell(gone.watch)], ['Gone', { _tag: 'Gone', what: 'too old: 7 (9)' }]);
  const away = await failuresOf({ status: 200, text: line({ code: 500, message: 'etcd has no leader' }) });
  assert.equal(tell(away.watch), { _tag: 'Unavailable', message: '500 etcd has no leader' });
  const bare = await failuresOf({ status: 200, text: line({}) });
  assert.is(bare.watch._tag, 'Unavailable');
});

spec('the time to wait is read from Retry-After or else from the Status, for watches and other calls', async () => {
  const busy = { kind: 'Status', code: 429, message: 'busy', details: { retryAfterSeconds: 7 } };
  const within = await failuresOf({ status: 200, text: line(busy) });
  assert.equal(tell(within.watch), { _tag: 'Unavailable', message: '429 busy', retryAfterMs: 7_000 });
  const whole = await failuresOf({ status: 429, text: JSON.stringify(busy) });
  assert.equal(tell(whole.read), { _tag: 'Unavailable', message: '429 busy', retryAfterMs: 7_000 });
  const header = await failuresOf({ status: 429, text: JSON.stringify(busy), headers: { 'Retry-After': '3' } });
  for (const failure of [header.watch, header.read])
    assert.equal(tell(failure), { _tag: 'Unavailable', message: '429 busy', retryAfterMs: 3_000 });
});

spec('a response without a Status is reported as text, cut to 500 characters', async () => {
  const { read } = await failuresOf({ status: 502, text: 'x'.repeat(900) });
  assert.equal(tell(read), { _tag: 'Unavailable', message: `502 ${'x'.repeat(500)}` });
});

spec.run();
