import * as assert from 'uvu/assert';
import { at, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, started } from './started.ts';

const spec = suite<{ api: Started }>('autoscalers in two versions');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const path = (version: string, name = '') =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers${name === '' ? '' : `/${name}`}`;
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const ofCpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const ofMemory = {
  type: 'Resource',
  resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
};
const scaler = (version: string, name: string, fields: object) => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name },
  spec: { maxReplicas: 3, scaleTargetRef: target, ...fields },
});

spec('an autoscaler of version 1 is readable in both versions', async ({ api }) => {
  const given = scaler('v1', 'old', { targetCPUUtilizationPercentage: 70 });
  const made = await api.send('POST', path('v1'), { body: given });
  assert.equal([made.code, made.body['apiVersion'], made.warning], [201, 'autoscaling/v1', '']);
  assert.is(at(made.body, 'spec', 'targetCPUUtilizationPercentage'), 70);
  const { body } = await api.send('GET', path('v2', 'old'));
  assert.equal([body['apiVersion'], at(body, 'spec', 'metrics')], ['autoscaling/v2', [ofCpu(70)]]);
});

spec('fields that version 1 cannot express are kept in annotations and restored from them', async ({ api }) => {
  const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } };
  await api.send('POST', path('v2'), { body: scaler('v2', 'new', { metrics: [ofMemory, ofCpu(50)], behavior }) });
  const { body } = await api.send('GET', path('v1', 'new'));
  assert.equal(
    [at(body, 'spec', 'targetCPUUtilizationPercentage'), at(body, 'spec', 'metrics'), at(body, 'spec', 'behavior')],
    [50, undefined, undefined],
  );
  const kept = (name: string) =>
    JSON.parse(textAt(body, 'metadata', 'annotations', `autoscaling.alpha.kubernetes.io/${name}`));
  assert.equal(kept('metrics'), [ofMemory]);
  const back = await api.send('PUT', path('v1', 'new'), { body });
  assert.is(back.code, 200, JSON.stringify(back.body));
  const stored = (await api.send('GET', path('v2', 'new'))).body;
  assert.equal(at(stored, 'spec', 'metrics'), [ofCpu(50), ofMemory]);
  assert.is(at(stored, 'spec', 'behavior', 'scaleDown', 'stabilizationWindowSeconds'), 60);
  assert.is(at(stored, 'metadata', 'annotations'), undefined);
});

spec('patches and applies to version 1 change the stored autoscaler', async ({ api }) => {
  const patch = { spec: { targetCPUUtilizationPercentage: 40, maxReplicas: 5 } };
  for (const type of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
    await api.send('PATCH', path('v1', 'old'), { body: { spec: { maxReplicas: 4 } }, type });
    const { code, warning } = await api.send('PATCH', path('v1', 'old'), { body: patch, type });
    assert.equal([code, warning], [200, ''], type);
  }
  const query = '?fieldManager=spec&force=true';
  const applied = await api.send('PATCH', `${path('v1', 'old')}${query}`, {
    body: scaler('v1', 'old', { targetCPUUtilizationPercentage: 30 }),
    type: 'application/apply-patch+yaml',
  });
  assert.equal([applied.code, applied.body['apiVersion']], [200, 'autoscaling/v1']);
  const { body } = await api.send('GET', path('v2', 'old'));
  assert.equal([at(body, 'spec', 'metrics'), at(body, 'spec', 'maxReplicas')], [[ofCpu(30)], 3]);
});

spec('a field unknown to version 1 is refused', async ({ api }) => {
  const { body } = await api.send('POST', `${path('v1')}?fieldValidation=Strict`, {
    body: scaler('v1', 'bad', { metrics: [] }),
  });
  assert.match(textAt(body, 'message'), /in version "v1" .*unknown field "spec\.metrics"/);
});

spec.run();
