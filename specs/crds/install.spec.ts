import { readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { documents } from './served.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}
interface Workload {
  readonly replicas: number;
  readonly selector: { readonly matchLabels: object };
  readonly template: {
    readonly metadata: { readonly labels: object };
    readonly spec: {
      readonly serviceAccountName: string;
      readonly securityContext: { readonly runAsNonRoot: boolean };
      readonly containers: readonly Container[];
    };
  };
}
interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe: object;
  readonly readinessProbe: object;
}

const installed = documents('install/core.yaml');
const find = (kind: string) => {
  const object = installed.find((one) => one.kind === kind);
  if (!object) throw new Error(`no ${kind}`);
  return object;
};
const rules = (kind: string) => find(kind)['rules'] as readonly Rule[];
const deployment = () => find('Deployment')['spec'] as Workload;
const container = () => deployment().template.spec.containers[0] as Container;
const may = (kind: string) =>
  rules(kind).flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.map((resource) => `${[group, resource, ...(resourceNames ?? [])].join('/')}: ${verbs.join(' ')}`),
    ),
  );
const spec = suite('install');

spec('the kustomization lists every manifest and the installation', () => {
  const manifests = readdirSync(new URL('../../crds/manifests/', import.meta.url)).sort();
  assert.equal(documents('kustomization.yaml')[0]?.['resources'], [
    ...manifests.map((name) => `manifests/${name}`),
    'install/core.yaml',
  ]);
});

spec('002 Authentication 7: the dashboard is the ClusterIP Service core-core-dashboard on 8085', () => {
  const service = find('Service');
  assert.is(service.metadata.name, 'core-core-dashboard');
  assert.equal(service['spec'], {
    type: 'ClusterIP',
    selector: deployment().template.metadata.labels,
    ports: [{ name: 'http', port: 8085, targetPort: 'dashboard' }],
  });
  assert.equal(deployment().selector.matchLabels, deployment().template.metadata.labels);
});

spec('one replica with dashboard 8085, health 8086 and metrics 8443, reachable from the cluster', () => {
  assert.is(deployment().replicas, 1);
  assert.equal(
    container().ports.map(({ name, containerPort }) => [name, containerPort]),
    [
      ['dashboard', 8085],
      ['health', 8086],
      ['metrics', 8443],
    ],
  );
  assert.ok(container().env.some(({ name, value }) => name === 'CORE_HOST' && value === '0.0.0.0'));
});

spec('probes ask /healthz and /readyz on the health port', () => {
  assert.match(JSON.stringify(container().livenessProbe), '{"path":"/healthz","port":"health"}');
  assert.match(JSON.stringify(container().readinessProbe), '{"path":"/readyz","port":"health"}');
});

spec('it runs without root, under its own account', () => {
  assert.is(deployment().template.spec.securityContext.runAsNonRoot, true);
  assert.is(deployment().template.spec.serviceAccountName, find('ServiceAccount').metadata.name);
  assert.equal(find('RoleBinding')['subjects'], [{ kind: 'ServiceAccount', name: 'core', namespace: 'core-system' }]);
});

spec('it may do what it needs and no more, in its namespace only', () => {
  assert.equal(may('Role').sort(), [
    '/events: create',
    '/pods/log: get',
    '/pods: list',
    '/secrets: get list watch create patch',
    'batch/jobs: get list watch create delete',
    'coordination.k8s.io/leases/core-operator: get patch',
    'coordination.k8s.io/leases: create',
    'core.platform/*: get list watch create patch delete',
  ]);
});

spec.run();
