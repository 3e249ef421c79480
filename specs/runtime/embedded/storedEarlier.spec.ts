import * as assert from 'uvu/assert';
import type { Json } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, merge, started } from './started.ts';

const spec = suite<{ api: Started }>('objects stored under earlier validation');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const namespace = 'core-system';
const path = (group: string, plural: string) => `/apis/${group}/v1/namespaces/${namespace}/${plural}/old`;
const labels = { app: 'old' };

spec('a stored Ingress with an address as host can be changed, but no other address is accepted', async ({ api }) => {
  const place = { bucket: 'networking.k8s.io/ingresses', namespace, name: 'old' };
  const rules = [{ host: '192.0.2.1' }];
  await api.store.create(place, { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: {}, spec: { rules } });
  const own = path('networking.k8s.io', 'ingresses');
  const patch = (body: Json, to = own) => api.send('PATCH', to, { body, type: merge });
  assert.is((await patch({ metadata: { labels } })).code, 200);
  assert.is((await patch({ status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } }, `${own}/status`)).code, 200);
  assert.is((await patch({ metadata: { labels: { 'a b': 'c' } } })).code, 422);
  assert.is((await patch({ spec: { rules: [{ host: '192.0.2.2' }] } })).code, 422);
  assert.is((await patch({ spec: { rules: [{ host: 'a.example' }] } })).code, 200);
});

spec('a stored Deployment with activeDeadlineSeconds can be changed, but its value cannot', async ({ api }) => {
  const place = { bucket: 'apps/deployments', namespace, name: 'old' };
  const template = (seconds: number) => ({
    metadata: { labels },
    spec: { containers: [{ name: 'a', image: 'a:1' }], activeDeadlineSeconds: seconds },
  });
  const given = { selector: { matchLabels: labels }, template: template(5) };
  await api.store.create(place, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec: given });
  const own = path('apps', 'deployments');
  const patch = (body: Json, to = own) => api.send('PATCH', to, { body, type: merge });
  assert.is((await patch({ metadata: { labels } })).code, 200);
  assert.is((await patch({ status: { replicas: 1 } }, `${own}/status`)).code, 200);
  assert.is((await patch({ spec: { template: template(6) } })).code, 422);
});

spec.run();
