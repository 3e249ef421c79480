import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { chartFiles } from '../../packaging/chart/files.ts';
import { templateText } from '../../packaging/chart/template.ts';
import { valuesSchema } from '../../packaging/chart/values.ts';
import { helms, noHelm, objectsIn, type Rendered, template } from '../support/helm.ts';
import { noKubectl } from '../support/kubectl.ts';
import { root } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';

const spec = suite('chart');
const check = unless(spec, noHelm());
const compare = unless(spec, noHelm() ?? noKubectl());
const folder = join(root, 'chart');
const byHand = ['_helpers.tpl', 'NOTES.txt'];

const inCoreSystem = ['--namespace', 'core-system'];
const nameOf = ({ kind, metadata }: Rendered) => `${kind} ${metadata.name}`;
const byName = (objects: readonly Rendered[]) => new Map(objects.map((object) => [nameOf(object), object]));

const render = (args: readonly string[]) =>
  helms.map((helm) => {
    const { text, failure } = template(helm, 'chart', ...inCoreSystem, ...args);
    assert.is(failure, '', helm);
    return byName(objectsIn(text));
  });

let usual: ReturnType<typeof render> | undefined;
/** The chart's objects with some values, by each Helm. */
const rendered = (...args: readonly string[]) => (args.length === 0 ? (usual ??= render(args)) : render(args));

const refused = (why: RegExp, ...args: readonly string[]) => {
  for (const helm of helms) assert.match(template(helm, 'chart', ...args).failure, why, helm);
};

interface Pod {
  readonly metadata: { readonly labels: object; readonly annotations?: object };
  readonly spec: Readonly<Record<string, unknown>> & { readonly containers: readonly [Container] };
}
interface Container {
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly resources?: object;
  readonly env: readonly { readonly name: string }[];
  readonly volumeMounts: readonly object[];
}
interface Workload {
  readonly replicas?: number;
  readonly template: Pod;
}
const workloadOf = (objects: ReadonlyMap<string, Rendered>) => objects.get('Deployment core')?.['spec'] as Workload;
const json = (name: string, value: unknown) => ['--set-json', `${name}=${JSON.stringify(value)}`];

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };

/** An object without what only the chart gives it. */
function withoutHelm({ metadata, ...rest }: Rendered) {
  const { labels = {}, annotations = {}, ...about } = metadata;
  const { 'app.kubernetes.io/managed-by': _by, 'helm.sh/chart': _chart, ...ours } = labels as Record<string, string>;
  const {
    'helm.sh/resource-policy': policy,
    'core.platform/release': release,
    ...others
  } = annotations as Record<string, string>;
  const isDefinition = rest.kind === 'CustomResourceDefinition';
  assert.equal([policy, release], isDefinition ? ['keep', `v${version}`] : [undefined, undefined], metadata.name);
  const some = (name: string, map: object) => (Object.keys(map).length > 0 ? { [name]: map } : {});
  return { ...rest, metadata: { ...about, ...some('labels', ours), ...some('annotations', others) } };
}

spec('the chart files equal the generated ones (`npm run chart` writes them)', () => {
  const names = readdirSync(join(folder, 'templates')).map((name) => `templates/${name}`);
  const generated = chartFiles.map(({ name }) => name);
  assert.equal(
    [...names, 'Chart.yaml', 'values.schema.json'].toSorted(),
    [...generated, ...byHand.map((name) => `templates/${name}`)].toSorted(),
  );
  for (const { name, text } of chartFiles) assert.is(readFileSync(join(folder, name), 'utf8'), text, name);
});

compare('the chart with its own values has the objects of the kustomization, but for the Namespace', () => {
  const text = execFileSync('kubectl', ['kustomize', 'crds/install'], { cwd: root, encoding: 'utf8' });
  const installed = byName(objectsIn(text).filter(({ kind }) => kind !== 'Namespace'));
  assert.ok(installed.size > 40, `${installed.size} objects`);
  for (const objects of rendered()) {
    assert.equal([...objects.keys()].toSorted(), [...installed.keys()].toSorted());
    for (const [name, object] of objects) assert.equal(withoutHelm(object), installed.get(name), name);
  }
});

check('every object of the chart has the labels of Helm', () => {
  for (const objects of rendered())
    for (const [name, { metadata }] of objects) {
      assert.is(metadata.labels?.['app.kubernetes.io/managed-by'], 'Helm', name);
      assert.match(metadata.labels?.['helm.sh/chart'] ?? '', /^core-\d/, name);
    }
});

check('another namespace is refused with the flags that help', () => {
  const why = /Core runs in the namespace core-system: add --namespace core-system --create-namespace/;
  refused(why);
  refused(why, '--namespace', 'elsewhere');
});

check('values of an unknown name or of another type are refused', () => {
  refused(/replica\b/, ...inCoreSystem, '--set', 'replica=2');
  refused(/additional properties.*tagg|tagg.*not allowed/is, ...inCoreSystem, '--set', 'image.tagg=1');
  refused(/replicas/, ...inCoreSystem, '--set-string', 'replicas=2');
  refused(/digest/, ...inCoreSystem, '--set', 'image.digest=latest');
  refused(/rootDomian/, ...inCoreSystem, '--set', 'platform.rootDomian=example.com');
  refused(/dashboardExposure/, ...inCoreSystem, '--set', 'platform.dashboardExposure=open');
});

/** Paths of objects in a schema that list names and let others pass. */
function lenient(schema: unknown, path = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([name, one]) => lenient(one, `${path}/${name}`));
  return 'properties' in schema && 'type' in schema && !('additionalProperties' in schema) ? [path, ...inner] : inner;
}

spec('the schema of the values lets unknown names pass only in the fields of an environment variable', () => {
  assert.equal(lenient(valuesSchema), ['/properties/env/items']);
});

spec('every value of the schema has a default, and Helm shares its own', () => {
  const values = parse(readFileSync(join(folder, 'values.yaml'), 'utf8')) as Record<string, unknown>;
  const missing = (schema: unknown, value: unknown, path: string): readonly string[] =>
    Object.entries((value !== null && (schema as { properties?: object }).properties) || {}).flatMap(([name, one]) =>
      typeof value === 'object' && value !== null && name in value
        ? missing(one, (value as Record<string, unknown>)[name], `${path}.${name}`)
        : [`${path}.${name}`],
    );
  assert.equal(missing(valuesSchema, values, ''), ['.global']);
});

check('the image is named by its tag, or by its digest where there is one', () => {
  const imageOf = (...args: readonly string[]) =>
    rendered('--set', 'image.repository=r.example/core', ...args).map(
      (one) => workloadOf(one).template.spec.containers[0].image,
    );
  const all = (image: string) => helms.map(() => image);
  assert.equal(imageOf('--set-string', 'image.tag=1.2.0'), all('r.example/core:1.2.0'));
  const digest = `sha256:${'a'.repeat(64)}`;
  assert.equal(imageOf('--set', `image.tag=x,image.digest=${digest}`), all(`r.example/core@${digest}`));
});

check('values of the pod are in the Deployment as they were given', () => {
  const fields = {
    imagePullSecrets: [{ name: 'registry' }],
    nodeSelector: { pool: 'system' },
    tolerations: [{ key: 'system', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
    priorityClassName: 'high',
  };
  const others = {
    replicas: 2,
    podLabels: { team: 'a' },
    podAnnotations: { note: '1' },
    resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } },
    env: [{ name: 'CORE_LEASE_SECONDS', value: '30' }],
  };
  const args = Object.entries({ ...fields, ...others }).flatMap(([name, value]) => json(name, value));
  for (const objects of rendered(...args, '--set', 'image.pullPolicy=Always,adminPasswordSecret=first')) {
    const { replicas, template: pod } = workloadOf(objects);
    const [container] = pod.spec.containers;
    assert.is(replicas, 2);
    for (const [name, value] of Object.entries(fields)) assert.equal(pod.spec[name], value, name);
    assert.equal(pod.metadata.labels, { 'app.kubernetes.io/name': 'core', team: 'a' });
    assert.equal(pod.metadata.annotations, { note: '1' });
    assert.equal(container.resources, others.resources);
    assert.is(container.imagePullPolicy, 'Always');
    assert.equal(container.env.slice(-2), [
      { name: 'CORE_ADMIN_PASSWORD', valueFrom: { secretKeyRef: { name: 'first', key: 'password' } } },
      ...others.env,
    ]);
  }
});

check('replicas of 0 are those of the Deployment', () => {
  for (const objects of rendered('--set', 'replicas=0')) assert.is(workloadOf(objects).replicas, 0);
});

check('what is switched off is left out, and nothing else', () => {
  const kindsGone = (...args: readonly string[]) => {
    const before = rendered();
    return rendered(...args).map((objects, index) => {
      const gone = [...(before[index]?.values() ?? [])].filter((object) => !objects.has(nameOf(object)));
      return [...new Set(gone.map(({ kind = '' }) => kind))].sort().join(' ');
    });
  };
  const all = (kinds: string) => helms.map(() => kinds);
  assert.equal(kindsGone('--set', 'crds.install=false'), all('CustomResourceDefinition'));
  assert.equal(
    kindsGone('--set', 'admission.enabled=false'),
    all('ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding'),
  );
  assert.equal(kindsGone('--set', 'networkPolicies.enabled=false'), all('NetworkPolicy'));
  assert.equal(kindsGone('--set', 'podDisruptionBudget.enabled=false'), all('PodDisruptionBudget'));
});

check('definitions are not kept when that is switched off', () => {
  for (const objects of rendered('--set', 'crds.keep=false'))
    for (const { kind, metadata } of objects.values())
      if (kind === 'CustomResourceDefinition') assert.is(metadata.annotations?.['helm.sh/resource-policy'], undefined);
});

check('the platform is made after a first installation, and is part of the release where its kind is known', () => {
  const platform = json('platform', { rootDomain: 'example.com' });
  const known = ['--api-versions', 'core.platform/v1alpha1/CorePlatformConfig'];
  const owned = { 'meta.helm.sh/release-name': 'core', 'meta.helm.sh/release-namespace': 'core-system' };
  const kept = { ...owned, 'helm.sh/resource-policy': 'keep' };
  const of = (objects: ReadonlyMap<string, Rendered>) => objects.get('CorePlatformConfig platform');
  for (const objects of rendered()) assert.is(of(objects), undefined);
  for (const objects of rendered(...platform)) {
    assert.equal(of(objects)?.['spec'], { rootDomain: 'example.com' });
    assert.equal(of(objects)?.metadata.annotations, { ...kept, 'helm.sh/hook': 'post-install' });
  }
  for (const objects of rendered(...platform, ...known)) assert.equal(of(objects)?.metadata.annotations, kept);
});

check('values of metrics reach the policy, the readers, the certificate and the ServiceMonitor', () => {
  const args = [
    ...json('metrics.namespaces', ['observing']),
    ...json('metrics.readers', [{ name: 'scraper', namespace: 'observing' }]),
    '--set',
    'metrics.certificateSecret=tls,metrics.prometheusURL=http://p:9090',
    ...json('metrics.serviceMonitor', { enabled: true, labels: { release: 'p' }, interval: '30s' }),
  ];
  for (const objects of rendered(...args)) {
    const values = (name: string) => JSON.stringify(objects.get(name));
    assert.match(values('NetworkPolicy core-metrics'), '"values":["observing"]');
    assert.match(
      values('ClusterRoleBinding core-metrics-reader'),
      '"subjects":[{"kind":"ServiceAccount","name":"scraper","namespace":"observing"}]',
    );
    const { spec: pod } = workloadOf(objects).template;
    assert.match(JSON.stringify(pod), '{"name":"CORE_METRICS_CERT","value":"/etc/core/metrics/tls.crt"}');
    assert.match(JSON.stringify(pod), '{"name":"CORE_PROMETHEUS_URL","value":"http://p:9090"}');
    assert.match(JSON.stringify(pod), '"secret":{"secretName":"tls"}');
    assert.match(JSON.stringify(pod), '"mountPath":"/etc/core/metrics"');
    assert.is(objects.get('ServiceMonitor core')?.metadata.labels?.['release'], 'p');
    assert.match(values('ServiceMonitor core'), '"interval":"30s"');
  }
});

check('a text with braces reaches the cluster as it was written', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'core-chart-'));
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { text: '{{ .Values.x }} {{{a}}}' },
  };
  try {
    mkdirSync(join(scratch, 'templates'));
    writeFileSync(join(scratch, 'Chart.yaml'), 'apiVersion: v2\nname: braces\nversion: 0.1.0\n');
    const text = templateText({ source: 'a spec', condition: undefined, objects: [object] });
    writeFileSync(join(scratch, 'templates/a.yaml'), text);
    for (const helm of helms) assert.equal(objectsIn(template(helm, scratch).text), [object]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

spec.run();
