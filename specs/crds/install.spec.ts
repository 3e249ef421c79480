import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import type { KubeObject } from '../../crds/kind.ts';
import { kinds } from '../../crds/kinds.ts';
import { operatorBinding } from '../../rules/project/access.ts';
import { suite } from '../support/suite.ts';
import { documents } from './served.ts';

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}
interface Workload {
  readonly replicas?: number;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: {
      readonly serviceAccountName: string;
      readonly securityContext: { readonly runAsNonRoot: boolean };
      readonly containers: readonly Container[];
    };
  };
}
interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: { readonly periodSeconds: number; readonly failureThreshold: number };
  readonly livenessProbe: object;
  readonly readinessProbe: object;
  readonly resources: object;
  readonly volumeMounts: readonly { readonly mountPath: string }[];
  readonly securityContext: object;
}
interface Policy {
  readonly podSelector: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly {
    readonly from?: readonly object[];
    readonly ports?: readonly { readonly port: string }[];
  }[];
  readonly egress?: readonly object[];
}

const folder = new URL('../../crds/install/', import.meta.url);
const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml');
const kustomization = parse(readFileSync(new URL('kustomization.yaml', folder), 'utf8')) as {
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string; readonly newTag: string }[];
};
type InstalledObject = KubeObject & Record<string, unknown>;
const installed: readonly InstalledObject[] = files.flatMap((name) => documents(`install/${name}`));
const all = (kind: string) => installed.filter((one) => one.kind === kind);
const find = (kind: string, name: string): InstalledObject => {
  const object = all(kind).find(({ metadata }) => metadata.name === name);
  if (!object) throw new Error(`no ${kind} ${name}`);
  return object;
};
const deployment = () => find('Deployment', 'core')['spec'] as Workload;
const container = () => deployment().template.spec.containers[0] as Container;
const policy = (name: string) => find('NetworkPolicy', name)['spec'] as Policy;
const may = (kind: string, name: string) =>
  (find(kind, name)['rules'] as readonly Rule[])
    .flatMap(({ apiGroups = [''], resources = [], resourceNames = [], nonResourceURLs = [], verbs }) =>
      [
        ...apiGroups.flatMap((group) => resources.map((resource) => [group, resource, ...resourceNames].join('/'))),
        ...nonResourceURLs,
      ].map((what) => `${what}: ${verbs.join(' ')}`),
    )
    .sort();
const spec = suite('install');

spec('the kustomization lists every file once, and the manifests of the kinds', () => {
  assert.equal([...kustomization.resources].sort(), ['../manifests', ...files].sort());
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  assert.equal(kustomization.images, [{ name: 'core-platform', newTag: version }]);
  assert.is(container().image, `core-platform:${version}`);
});

spec('CON-005 only the accounts of Core may write a console session', () => {
  const writers = ['Role', 'ClusterRole']
    .flatMap(all)
    .filter(({ kind, metadata }) =>
      may(kind ?? '', metadata.name).some((right) =>
        /^[^:]*(?:coreconsolesessions|\*).*: .*(?:create|update|patch|\*)/.test(right),
      ),
    );
  assert.equal(writers.map(({ metadata }) => metadata.name).sort(), ['core-dashboard', 'core-operator']);
});

spec('NET-019 NET-021 the Services core-core-dashboard on 8085 and core-core-metrics on 8443', () => {
  const ports = (name: string) => find('Service', name)['spec'];
  const selector = deployment().template.metadata.labels;
  const type = 'ClusterIP';
  assert.equal(ports('core-core-dashboard'), {
    type,
    selector,
    ports: [{ name: 'http', port: 8085, targetPort: 'dashboard' }],
  });
  assert.equal(ports('core-core-metrics'), {
    type,
    selector,
    ports: [{ name: 'https', port: 8443, targetPort: 'metrics' }],
  });
  assert.equal(deployment().selector.matchLabels, selector);
});

spec('the operator listens on 8085, 8086 and 8443 on all addresses', () => {
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

spec('NET-020 probes ask /healthz and /readyz on the health port', () => {
  assert.match(JSON.stringify(container().livenessProbe), '{"path":"/healthz","port":"health"}');
  assert.match(JSON.stringify(container().readinessProbe), '{"path":"/readyz","port":"health"}');
});

spec('NET-020 the startup probe on /healthz allows ten minutes', () => {
  const { periodSeconds, failureThreshold } = container().startupProbe;
  assert.ok(periodSeconds * failureThreshold >= 600);
  // /readyz is 503 also for what no restart helps against.
  assert.match(JSON.stringify(container().startupProbe), '{"path":"/healthz","port":"health"}');
});

spec('the Deployment has no replicas field, which keeps a scaled number over an apply', () => {
  assert.is(deployment().replicas, undefined);
});

spec('the data directory is below its volume, accessible only to its owner', () => {
  const dataDir = container().env.find(({ name }) => name === 'CORE_DATA_DIR')?.value ?? '';
  assert.equal(
    container().volumeMounts.map(({ mountPath }) => dataDir.startsWith(`${mountPath}/`)),
    [true, false],
  );
});

spec('the operator runs without root and privileges, under its own account, with limits', () => {
  assert.is(deployment().template.spec.securityContext.runAsNonRoot, true);
  assert.is(deployment().template.spec.serviceAccountName, find('ServiceAccount', 'core').metadata.name);
  assert.equal(container().securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  assert.match(JSON.stringify(container().resources), /"requests":\{"cpu".*"limits":\{"memory"/);
  assert.is(find('Namespace', 'core-system').metadata.labels?.['pod-security.kubernetes.io/enforce'], 'baseline');
});

spec('no role has a wildcard, and each is bound to the account except the scraper and environment roles', () => {
  for (const { metadata, rules } of [...all('Role'), ...all('ClusterRole')])
    assert.not.match(JSON.stringify(rules), /\*/, metadata.name);
  const bound = [...all('RoleBinding'), ...all('ClusterRoleBinding')].map(({ roleRef, subjects }) => {
    assert.equal(subjects, [{ kind: 'ServiceAccount', name: 'core', namespace: 'core-system' }]);
    return (roleRef as { readonly name: string }).name;
  });
  const roles = [...all('Role'), ...all('ClusterRole')].map(({ metadata }) => metadata.name);
  assert.equal([...bound, 'core-environment', 'core-metrics-reader'].sort(), roles.sort());
});

spec('NET-025 the policy admits the challenge solver on port 80 and the agent of a tunnel', () => {
  assert.equal(policy('core-acme-solver'), {
    podSelector: { matchLabels: { 'acme.cert-manager.io/http01-solver': 'true' } },
    policyTypes: ['Ingress'],
    ingress: [{ ports: [{ port: 8089, protocol: 'TCP' }] }],
  });
  assert.equal(policy('core-tunnel-agent').podSelector.matchLabels, { 'app.kubernetes.io/name': 'core-tunnel-agent' });
  assert.is(policy('core-tunnel-agent').egress?.length, 1);
});

const plurals = kinds.map(({ plural }) => plural);

spec('each part has exactly the permissions that it needs', () => {
  assert.equal(
    may('Role', 'core-operator'),
    [
      '/events: list watch create patch',
      '/persistentvolumeclaims: get create patch delete',
      '/pods/log: get',
      '/pods: list watch',
      '/secrets: get list watch create patch delete',
      '/services: get create patch delete',
      'apps/deployments: get create patch delete',
      'batch/jobs: get list watch create delete',
      'helm.cattle.io/helmcharts: get create patch delete',
      'networking.k8s.io/ingresses: get create patch delete',
      'postgresql.cnpg.io/clusters: get create patch delete',
      'core.platform/coreapps/finalizers: update',
      'core.platform/corebuilds/finalizers: update',
      'core.platform/moves: create',
      ...plurals.map((plural) => `core.platform/${plural}: get list watch create patch delete`),
      ...plurals.map((plural) => `core.platform/${plural}/status: patch`),
    ].sort(),
  );
  assert.equal(
    may('Role', 'core-dashboard'),
    [
      '/pods/exec: get create',
      '/pods/log: get',
      '/pods: get list',
      '/secrets: get list watch create patch',
      'apps/deployments: get',
      'apps/replicasets: get',
      'coordination.k8s.io/leases/core-operator: get',
      'coordination.k8s.io/leases: get create patch delete',
      ...plurals.map((plural) => `core.platform/${plural}: get list watch patch`),
      ...plurals.map((plural) => `core.platform/${plural}/status: patch`),
    ].sort(),
  );
  assert.equal(may('ClusterRole', 'core-environments'), [
    '/configmaps: list watch',
    '/namespaces: get list watch create patch',
    '/nodes: list watch patch',
    '/persistentvolumeclaims: list watch',
    '/pods: list watch',
    '/secrets: list watch',
    '/services: list watch',
    'admissionregistration.k8s.io/validatingadmissionpolicies/core-required-node-tags: get',
    'apiextensions.k8s.io/customresourcedefinitions/clusterissuers.cert-manager.io: list watch',
    'apiextensions.k8s.io/customresourcedefinitions/clusters.postgresql.cnpg.io/scheduledbackups.postgresql.cnpg.io/backups.postgresql.cnpg.io/helmcharts.helm.cattle.io: list watch',
    ['apiextensions.k8s.io/customresourcedefinitions', ...kinds.map(({ plural }) => `${plural}.core.platform`)]
      .join('/')
      .concat(': get'),
    'apiextensions.k8s.io/customresourcedefinitions/interceptorroutes.http.keda.sh/scaledobjects.keda.sh: list watch',
    'apps/deployments: list watch',
    'apps/replicasets: list watch',
    'autoscaling/horizontalpodautoscalers: list watch',
    'batch/cronjobs: list watch',
    'batch/jobs: list watch',
    'cert-manager.io/clusterissuers: get list watch create patch delete',
    'discovery.k8s.io/endpointslices: list watch',
    'helm.cattle.io/helmcharts: list watch',
    'http.keda.sh/interceptorroutes: list watch',
    'keda.sh/scaledobjects: list watch',
    'networking.k8s.io/ingresses: list watch',
    'networking.k8s.io/networkpolicies: list watch',
    'postgresql.cnpg.io/backups: list watch',
    'postgresql.cnpg.io/clusters: list watch',
    'postgresql.cnpg.io/scheduledbackups: list watch',
    'rbac.authorization.k8s.io/clusterroles/core-environment: bind',
    'rbac.authorization.k8s.io/rolebindings: get list watch create patch',
    'storage.k8s.io/csinodes: list watch',
    'storage.k8s.io/storageclasses: get list watch create patch delete',
  ]);
  assert.equal(may('ClusterRole', 'core-environment'), [
    '/configmaps: get create patch delete',
    '/events: list',
    '/namespaces: delete',
    '/persistentvolumeclaims: get create patch delete',
    '/pods/exec: get create',
    '/pods/log: get',
    '/pods: get',
    '/pods: list',
    '/secrets: get create patch delete',
    '/services: get create patch delete',
    'apps/deployments: get create patch delete',
    'apps/replicasets: get',
    'autoscaling/horizontalpodautoscalers: get create patch delete',
    'batch/cronjobs: get create patch delete',
    'batch/jobs: get create patch delete',
    'http.keda.sh/interceptorroutes: get create patch delete',
    'keda.sh/scaledobjects: get create patch delete',
    'networking.k8s.io/ingresses: get create patch delete',
    'networking.k8s.io/networkpolicies: get create patch delete',
    'postgresql.cnpg.io/backups: get create patch delete',
    'postgresql.cnpg.io/clusters: get create patch delete',
    'postgresql.cnpg.io/scheduledbackups: get create patch delete',
    'rbac.authorization.k8s.io/rolebindings: delete',
  ]);
  assert.equal(may('Role', 'core-leader-election'), [
    'coordination.k8s.io/leases/core-operator: get patch',
    'coordination.k8s.io/leases: create',
  ]);
  assert.equal(may('ClusterRole', 'core-metrics-auth'), [
    'authentication.k8s.io/tokenreviews: create',
    'authorization.k8s.io/subjectaccessreviews: create',
  ]);
  assert.equal(may('ClusterRole', 'core-metrics-reader'), ['/metrics: get']);
});

spec('the operator binds its installed role to its own account in an environment', () => {
  const { roleRef, subjects } = operatorBinding({ project: 'shop', environment: 'production', cluster: 'local' });
  const role = find('ClusterRole', 'core-environment');
  assert.equal(roleRef, { apiGroup: 'rbac.authorization.k8s.io', kind: role.kind, name: role.metadata.name });
  const { name, namespace } = find('ServiceAccount', 'core').metadata;
  assert.equal(subjects, [{ kind: 'ServiceAccount', name, namespace }]);
});

spec('KND-002 CON-002 roles give access to Core kinds only in core-system', () => {
  const reaching = [...all('Role'), ...all('ClusterRole')].filter((role) =>
    (role['rules'] as readonly Rule[]).some(({ apiGroups = [] }) => apiGroups.includes('core.platform')),
  );
  assert.equal(
    reaching.map(({ kind, metadata }) => `${kind} ${metadata.namespace} ${metadata.name}`),
    ['Role core-system core-dashboard', 'Role core-system core-operator'],
  );
});

spec('BLD-003 only the operator may create builds, and only the operator and the dashboard may write them', () => {
  const writing = ['create', 'update', 'patch', 'delete', 'deletecollection'];
  const writes = [...all('Role'), ...all('ClusterRole')].flatMap(({ metadata, rules }) =>
    (rules as readonly Rule[])
      .filter(({ resources = [] }) => resources.some((one) => ['corebuilds', 'corebuilds/status'].includes(one)))
      .flatMap(({ verbs }) => verbs.filter((verb) => writing.includes(verb)))
      .map((verb) => `${metadata.name} ${verb}`),
  );
  assert.equal([...new Set(writes)].sort(), [
    'core-dashboard patch',
    'core-operator create',
    'core-operator delete',
    'core-operator patch',
  ]);
  for (const { metadata } of [...all('Role'), ...all('ClusterRole')])
    assert.not.ok(
      Object.keys(metadata.labels ?? {}).some((name) => name.startsWith('rbac.authorization.k8s.io/aggregate-to-')),
      `${metadata.name} gives no right to whoever may edit other things`,
    );
});

spec('NET-009 network policies deny everything that they do not name', () => {
  assert.equal(policy('core-default-deny'), { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  const names = all('NetworkPolicy').map(({ metadata }) => metadata.name);
  const values = ['core-system', 'kube-system', 'monitoring'];
  const platform = { key: 'kubernetes.io/metadata.name', operator: 'In', values };
  for (const store of ['core-metrics-store', 'core-log-store']) {
    const name = store.replace('core-', 'core-restrict-');
    assert.ok(names.includes(name));
    assert.equal(policy(name).podSelector, { matchLabels: { 'app.kubernetes.io/name': store } });
    assert.equal(policy(name).ingress, [{ from: [{ namespaceSelector: { matchExpressions: [platform] } }] }]);
  }
  const open = ['core-dashboard', 'core-health', 'core-metrics'].map((name) => policy(name));
  assert.equal(
    open.map(({ ingress }) => ingress?.[0]?.ports?.map(({ port }) => port)),
    [['dashboard'], ['health'], ['metrics']],
  );
  assert.ok(open[2]?.ingress?.[0]?.from, 'metrics are for namespaces of the platform');
  for (const { podSelector } of open) assert.equal(podSelector.matchLabels, deployment().selector.matchLabels);
  for (const name of ['core-egress', 'core-builds'])
    assert.match(JSON.stringify(policy(name).egress), '"except":["169.254.0.0/16"]');
});

spec('the disruption budget allows one unavailable replica', () => {
  const budget = find('PodDisruptionBudget', 'core')['spec'] as Readonly<Record<string, unknown>>;
  assert.is(budget['maxUnavailable'], 1);
  assert.equal(budget['selector'], deployment().selector);
});

spec.run();
