import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { annotation } from '../../crds/names.ts';
import { startHealth } from '../../http/program/health.ts';
import { startMetrics } from '../../http/scrape/metrics.ts';
import { promMetrics } from '../../runtime/services/promMetrics.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { app, ask, serve, type Served } from './served.ts';

const health = suite('health');
let served: Served;
health.before(async () => {
  served = await serve();
});
health.after(() => served.stop());

const host = '127.0.0.1';

health('a process is alive while it answers and ready once everything is listed', async () => {
  let open = () => {};
  const ready = Effect.callback<void>((resume) => {
    open = () => resume(Effect.void);
  });
  let serves = false;
  const operator = { ...served.operator, ready };
  const server = await startHealth({ operator, host, port: 0, serves: () => serves });
  assert.equal((await ask(`${server.url}/healthz`)).json(), { ok: true });
  const early = await ask(`${server.url}/readyz`);
  assert.is(early.status, 503);
  assert.equal(early.json(), { ok: false, why: 'the caches are being listed' });
  open();
  assert.is((await ask(`${server.url}/readyz`)).status, 503, 'nothing else listens');
  serves = true;
  await until(async () => (await ask(`${server.url}/readyz?verbose`)).status === 200, 'it is ready');
  assert.is((await ask(`${server.url}/other`)).status, 404);
  await server.stop();
});

health('a stopping process is alive, serves requests and asks clients to reconnect', async () => {
  const server = await startHealth({ operator: served.operator, host, port: 0, stops: () => served.asked.toEnd });
  const readiness = async () => {
    const { status, text } = await ask(`${server.url}/readyz`);
    return `${status} ${text}`;
  };
  await until(async () => (await readiness()) === '200 {"ok":true}', 'it is ready');
  const connection = async (path: string) => {
    const { status, headers } = await fetch(`${served.url}${path}`);
    assert.ok(status < 500, path);
    return headers.get('connection');
  };
  assert.is(await connection('/api/v1/version'), 'keep-alive');
  served.asked.toEnd = true;
  assert.is(await readiness(), '503 {"ok":false,"why":"it stops"}');
  assert.equal((await ask(`${server.url}/healthz`)).json(), { ok: true });
  for (const path of ['/api/v1/version', '/', '/none']) {
    const { status, headers } = await served.askPlain(path);
    assert.ok(status < 500, path);
    assert.is(headers.connection, 'close', path);
  }
  served.asked.toEnd = false;
  await server.stop();
});

health('a process is not ready when a watch is older than its bound', async () => {
  const server = await startHealth({ operator: served.operator, host, port: 0, lateAfterMs: -1 });
  const asked = () => ask(`${server.url}/readyz`);
  await until(async () => (await asked()).text.includes('nothing was heard of CoreBuild'), 'it is late');
  assert.is((await asked()).status, 503);
  await server.stop();
});

health('the metrics of decision 144 are exported, with an instance of its own for each server', async () => {
  const [metrics, other] = [promMetrics(), promMetrics()];
  metrics.passed('build', 'ok', 0.004);
  metrics.moved('build', 'Pending', 'jobCreated', 'Running');
  metrics.refused('build', 'outside');
  metrics.ensureFailed('CoreBuild', 'logArchived');
  metrics.queueDepth(() => 7);
  for (const one of served.answered.splice(0)) metrics.answered(one);
  await served.ask('/api/v1/builds/none');
  await until(() => served.answered.length > 0, 'the request is logged');
  metrics.answered({ method: 'BREW', route: 'page', status: 405, seconds: 0.1 });
  for (const one of served.answered) metrics.answered(one);
  const on = { kind: 'Deployment', name: 'web', namespace: 'demo-production' };
  const cause = { of: 'Ready', reason: 'CrashLoop', severity: 'failure', message: '', on, since: '' } as const;
  const web = app('web', {}, { causes: [cause, { ...cause, reason: 'Paused', severity: 'note' }] });
  served.world.cluster.put(apps, {
    ...web,
    metadata: { ...web.metadata, annotations: { [annotation.paused]: 'true' } },
  });
  await until(() => served.operator.caches.get(apps, 'web'), 'the service is cached');
  const server = await startMetrics({ operator: served.operator, metrics, host, port: 0 });
  const { status, text, headers } = await ask(`${server.url}/metrics`);
  assert.is(status, 200);
  assert.match(headers['content-type'] ?? '', 'text/plain');
  for (const line of [
    'core_passes_total{machine="build",result="ok"} 1',
    'core_pass_seconds_count{machine="build"} 1',
    'core_transitions_total{machine="build",from="Pending",event="jobCreated",to="Running"} 1',
    'core_transitions_refused_total{machine="build",origin="outside"} 1',
    'core_ensure_failures_total{kind="CoreBuild",ensure="logArchived"} 1',
    'core_queue_depth 7',
    'core_causes{reason="CrashLoop",severity="failure"} 1',
    'core_http_request_seconds_count{method="GET",route="/api/v1/builds/:build",status="404"} 1',
    'core_http_request_seconds_count{method="other",route="page",status="405"} 1',
  ])
    assert.match(text, line);
  const ages = [...text.matchAll(/core_watch_age_seconds\{kind="(\w+)"\} \d/g)].map(([, kind = '']) => kind);
  const cached = new Set(served.operator.caches.all.map(({ resource }) => resource.kind));
  assert.is(ages.length, cached.size);
  assert.equal(new Set(ages), cached);
  assert.not.match(text, 'reason="Paused"');
  assert.not.match(await other.text(), 'jobCreated');
  assert.is((await ask(`${server.url}/`)).status, 404);
  await server.stop();
});
health.run();
