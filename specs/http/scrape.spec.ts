import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../crds/kind.ts';
import { startMetrics } from '../../http/scrape/metrics.ts';
import { settingsOf } from '../../http/program/settings.ts';
import { type CertificateSource, fromFiles, selfSigned } from '../../http/scrape/certificate.ts';
import { type Authorizer, makeAuthorizer } from '../../http/scrape/authorizer.ts';
import { protectionOf } from '../../http/scrape/protection.ts';
import { issueCertificates } from '../../runtime/embedded/certificates.ts';
import { Unavailable, type ClusterShape, NotFound, Refused } from '../../runtime/services/cluster/cluster.ts';
import { promMetrics } from '../../runtime/services/promMetrics.ts';
import { type Reviewer, clusterReviewer } from '../../runtime/services/reviewer.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { type Served, serve } from './served.ts';

const scrape = suite('scrape');
let served: Served;
let dir: string;
scrape.before(async () => {
  served = await serve();
  dir = mkdtempSync(join(tmpdir(), 'core-scrape-'));
});
scrape.after(async () => {
  await served.stop();
  rmSync(dir, { recursive: true });
});

const host = '127.0.0.1';
const there = { fault: () => null };

/** A cluster that knows the tokens `reader` and `other`, and permits only the first to read /metrics. */
function reviews() {
  const asked: KubeObject[] = [];
  const create = (_: unknown, object: KubeObject & { readonly spec?: unknown; readonly kind?: string }) => {
    asked.push(object);
    const spec = object.spec as { readonly token?: string; readonly user?: string };
    const username = { reader: 'system:serviceaccount:monitoring:prometheus', other: 'eve' }[spec.token ?? ''];
    const isReader = spec.user === 'system:serviceaccount:monitoring:prometheus';
    const status =
      object.kind === 'TokenReview'
        ? username === undefined
          ? { authenticated: false, error: 'no', user: { username: 'system:serviceaccount:monitoring:prometheus' } }
          : { authenticated: true, user: { username, uid: 'u1', groups: ['g'], extra: { node: ['a'] } } }
        : { allowed: isReader };
    return Effect.succeed({ ...object, status });
  };
  return { asked, reviewer: clusterReviewer({ create } as unknown as ClusterShape) };
}

scrape('NET-021 a scrape is authenticated and authorized by the cluster', async () => {
  const { asked, reviewer } = reviews();
  const seen = await Effect.runPromise(reviewer.mayGet('reader', '/metrics'));
  assert.equal(seen, { is: 'allowed', user: 'system:serviceaccount:monitoring:prometheus' });
  assert.equal(asked, [
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      metadata: { name: '' },
      spec: { token: 'reader' },
    },
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: { name: '' },
      spec: {
        nonResourceAttributes: { path: '/metrics', verb: 'get' },
        user: 'system:serviceaccount:monitoring:prometheus',
        uid: 'u1',
        groups: ['g'],
        extra: { node: ['a'] },
      },
    },
  ]);
  assert.equal(await Effect.runPromise(reviewer.mayGet('other', '/metrics')), { is: 'forbidden', user: 'eve' });
  assert.equal(await Effect.runPromise(reviewer.mayGet('stolen', '/metrics')), { is: 'unknown' });
});

scrape('callers without a valid token get 401, unauthorized ones 403, and authorized ones pass', async () => {
  const authorize = makeAuthorizer(reviews().reviewer, () => 0);
  const rows: readonly (readonly [string | undefined, number | null, string])[] = [
    [undefined, 401, 'show a token'],
    ['Basic cmVhZGVyOg==', 401, 'show a token'],
    ['Bearer ', 401, 'show a token'],
    ['Bearer reader and more', 401, 'show a token'],
    ['Bearer stolen', 401, 'does not know'],
    ['Bearer other', 403, 'eve may not get /metrics'],
    ['Bearer reader', null, ''],
    ['bearer reader', null, ''],
  ];
  for (const [authorization, status, words] of rows) {
    const denial = await authorize(authorization, '/metrics');
    assert.is(denial?.status ?? null, status, authorization);
    assert.match(denial?.message ?? '', words);
  }
});

scrape('a decision of the cluster is cached for a short time per token and path', async () => {
  const { asked, reviewer } = reviews();
  let now = 0;
  const authorize = makeAuthorizer(reviewer, () => now);
  const askedBy = async (authorization: string, path = '/metrics') => {
    const before = asked.length;
    await authorize(authorization, path);
    return asked.length - before;
  };
  assert.is(await askedBy('Bearer reader'), 2);
  now = 59_000;
  assert.is(await askedBy('Bearer reader'), 0);
  assert.is(await askedBy('Bearer other'), 2);
  assert.is(await askedBy('Bearer reader', '/other'), 2);
  now = 61_000;
  assert.is(await askedBy('Bearer reader'), 2);
  now = 70_000;
  assert.is(await askedBy('Bearer other'), 2);
});

scrape('concurrent scrapes of one token share one review, those of many tokens are limited', async () => {
  let open = () => {};
  const opened = new Promise<void>((done) => (open = done));
  let count = 0;
  const reviewer: Reviewer = {
    mayGet: () =>
      Effect.promise(async () => {
        count += 1;
        await opened;
        return { is: 'unknown' as const };
      }),
  };
  const authorize = makeAuthorizer(reviewer, () => 0);
  const same = Array.from({ length: 50 }, () => authorize('Bearer same', '/metrics'));
  const many = Array.from({ length: 50 }, (_, index) => authorize(`Bearer t${index}`, '/metrics'));
  await until(() => count === 16, 'sixteen are asked');
  open();
  const statuses = (await Promise.all([...same, ...many])).map((denial) => denial?.status);
  assert.is(count, 16);
  assert.is(statuses.filter((status) => status === 401).length, 65);
  assert.is(statuses.filter((status) => status === 503).length, 35);
});

scrape('a scrape is refused while the cluster does not review it', async () => {
  for (const failure of [
    new Unavailable({ message: 'no answer' }),
    new Refused({ status: 403, message: 'no right' }),
    new NotFound({ what: 'the path' }),
  ]) {
    let count = 0;
    const create = () => {
      count += 1;
      return Effect.fail(failure);
    };
    const authorize = makeAuthorizer(clusterReviewer({ create }), () => 0);
    assert.is((await authorize('Bearer reader', '/metrics'))?.status, 503);
    assert.is((await authorize('Bearer reader', '/metrics'))?.status, 503);
    assert.is(count, 2);
  }
});

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly challenge: string | undefined;
  readonly fingerprint: string;
}

const ask = (url: string, token?: string): Promise<Answered> =>
  new Promise((done, failed) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const sent = request(url, { headers, rejectUnauthorized: false, agent: false }, (response) => {
      const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate();
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          text,
          challenge: response.headers['www-authenticate'],
          fingerprint: fingerprint256,
        }),
      );
    });
    sent.on('error', failed).end();
  });

const start = (certificate: CertificateSource, authorize: Authorizer = () => Promise.resolve(null)) =>
  startMetrics({
    operator: served.operator,
    metrics: promMetrics(),
    host,
    port: 0,
    protection: { is: 'cluster', certificate, authorize, renewMs: 20 },
  });

scrape('NET-021 the metrics are served over HTTPS to callers that the cluster admits', async () => {
  const server = await start(selfSigned(dir, host, there), makeAuthorizer(reviews().reviewer, Date.now));
  try {
    assert.match(server.url, /^https:/);
    const stranger = await ask(`${server.url}/metrics`);
    assert.equal([stranger.status, stranger.challenge], [401, 'Bearer']);
    assert.is((await ask(`${server.url}/metrics`, 'nobody')).challenge, 'Bearer error="invalid_token"');
    assert.not.match(stranger.text, 'core_');
    assert.is((await ask(`${server.url}/metrics`, 'other')).text, 'eve may not get /metrics\n');
    const read = await ask(`${server.url}/metrics`, 'reader');
    assert.is(read.status, 200);
    assert.match(read.text, 'core_queue_depth');
    assert.is((await ask(`${server.url}/other`)).status, 401);
    assert.is((await ask(`${server.url}/other`, 'reader')).status, 404);
    let refused = false;
    await fetch(server.url.replace('https:', 'http:')).catch(() => (refused = true));
    assert.ok(refused, 'plain HTTP is not answered');
    const { fingerprint } = read;
    const again = await start(selfSigned(dir, host, there));
    assert.is((await ask(`${again.url}/metrics`)).fingerprint, fingerprint, 'the certificate is kept');
    await again.stop();
  } finally {
    await server.stop();
  }
});

scrape('a renewed certificate is reloaded, a broken one is not', async () => {
  const [cert, key] = [join(dir, 'tls.crt'), join(dir, 'tls.key')];
  const [one, two] = await Promise.all([issueCertificates([]), issueCertificates([])]);
  writeFileSync(cert, one.certificate);
  writeFileSync(key, one.key);
  const server = await start(fromFiles(cert, key));
  const served = async () => (await ask(`${server.url}/metrics`)).fingerprint;
  try {
    const first = await served();
    writeFileSync(cert, 'no certificate');
    await new Promise((done) => setTimeout(done, 60));
    assert.is(await served(), first);
    writeFileSync(key, two.key);
    writeFileSync(cert, two.certificate);
    await until(async () => (await served()) !== first, 'the renewed one is served');
  } finally {
    await server.stop();
  }
  writeFileSync(key, one.key);
  let why = '';
  await start(fromFiles(cert, key)).catch((error: unknown) => (why = String(error)));
  assert.match(why, /key values mismatch/i);
  assert.match(readFileSync(cert, 'utf8'), 'BEGIN CERTIFICATE');
});

scrape('NET-021 the metrics are served over HTTP on loopback only', () => {
  const cluster = { create: () => Effect.fail(new Unavailable({ message: 'not asked' })) };
  const protection = (at: string) =>
    protectionOf({ host: at, dataDir: dir, metricsFiles: undefined }, cluster, there).is;
  for (const at of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) assert.is(protection(at), 'none', at);
  for (const at of ['0.0.0.0', '::', '10.0.0.1', 'core.example', '127.0.0.1.example', '::2'])
    assert.is(protection(at), 'cluster', at);
});

scrape('certificate and key are given together or not at all', () => {
  assert.is(settingsOf([], {}).metricsFiles, undefined);
  const files = settingsOf(['--metrics-cert', 'a'], { CORE_METRICS_KEY: 'b' }).metricsFiles;
  assert.equal(files, { cert: 'a', key: 'b' });
  assert.throws(() => settingsOf(['--metrics-cert', 'a'], {}), /both or neither/);
});

scrape.run();
