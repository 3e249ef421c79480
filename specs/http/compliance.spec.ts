import * as assert from 'uvu/assert';
import type { Compliance } from '../../http/api.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import { clusterNodes, workloadPods } from '../../runtime/controllers/capacity.ts';
import { cloudConnections, databases, objectStores, projects } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { databaseOf } from '../runtime/controllers/database/databaseOf.ts';
import { namespaceIn, putCluster, putProject } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('required tags of a project');
let served: Served;
spec.before.each(async () => {
  served = await serve();
  putCluster(served.world);
  putProject(served.world);
  await until(() => cached()?.status?.phase === 'ProjectReady', 'the project is ready');
});
spec.after.each(() => served.stop());

const path = '/api/v1/projects/shop/compliance';
const cached = () => served.operator.caches.get(projects, 'shop');
const stored = () => served.world.cluster.all(projects).find(({ metadata }) => metadata.name === 'shop');
const save = (...requiredTags: readonly string[]) => served.post(path, { requiredTags });
const refusal = async (...tags: readonly string[]) => {
  const { status, text } = await save(...tags);
  return `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`;
};
const report = async () => (await served.ask(path)).json() as Compliance;

interface Node {
  readonly region?: string;
  readonly tags?: readonly string[];
  readonly reserved?: string;
}
async function putNode(name: string, { region = 'local', tags = [], reserved }: Node = {}) {
  const labels = {
    'core.platform/region': region,
    ...Object.fromEntries(tags.map((tag) => [`core.platform/tag-${tag}`, 'true'])),
  };
  const taint = { key: 'core.platform/reserved', value: reserved ?? '', effect: 'NoSchedule' };
  const metadata: KubeObject['metadata'] = { name, labels };
  const stored = served.world.cluster.put(clusterNodes, {
    metadata,
    spec: { taints: reserved === undefined ? [] : [taint] },
    status: { allocatable: { cpu: '4', memory: '8Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
  });
  await until(
    () => served.operator.caches.get(clusterNodes, name)?.metadata.resourceVersion === stored.metadata.resourceVersion,
    'the node is cached',
  );
}
async function putDatabase(name: string, placement: object | null, spec: Parameters<typeof databaseOf>[0] = {}) {
  const annotations = {
    [annotation.storageClass]: '',
    ...(placement === null ? {} : { [annotation.nodePlacement]: JSON.stringify(placement) }),
  };
  served.world.cluster.put(databases, {
    ...databaseOf({ project: 'shop', ...spec }),
    metadata: { name, namespace: systemNamespace, annotations },
    ...(placement === null ? { status: { targetNamespace: 'shop-production' } } : {}),
  });
  await until(() => served.operator.caches.get(databases, name), 'the database is cached');
}

spec('PRJ-044 PRJ-133 a required tag that no node in the region carries is refused with its name', async () => {
  await putNode('far', { region: 'far', tags: ['pci'], reserved: 'pci' });
  await putNode('here');
  assert.is(await refusal('pci'), '409 no node in the region "local" carries the tag "pci"');
  assert.is(stored()?.spec.requiredTags, undefined);
  putProject(served.world, { region: 'far' });
  await until(() => cached()?.spec.region === 'far', 'the region is another');
  assert.is(await refusal('pci', 'gpu'), '409 no node in the region "far" carries the tag "gpu"');
  assert.is((await save('pci')).status, 200);
});

spec('PRJ-045 PRJ-134 a required tag on a node not reserved for it is refused with tag and node', async () => {
  await putNode('one', { tags: ['pci'], reserved: 'pci' });
  await putNode('two', { tags: ['pci', 'gpu'], reserved: 'gpu' });
  await putNode('far', { region: 'far', tags: ['pci'] });
  const sentence = '409 the node "two" in the region "local" carries the tag "pci" and is not reserved for it';
  assert.is(await refusal('pci'), sentence);
  await putNode('two', { tags: ['pci', 'gpu'] });
  assert.is(await refusal('pci'), sentence);
  assert.is(stored()?.spec.requiredTags, undefined);
  await putNode('two', { tags: ['pci', 'gpu'], reserved: 'pci' });
  assert.is((await save('pci', 'gpu')).status, 200, 'one reservation serves all tags that are required together');
});

spec('PRJ-046 PRJ-135 a required tag is refused with the name of a database placed without it', async () => {
  await putNode('one', { tags: ['pci', 'gpu'], reserved: 'pci' });
  await putDatabase('elsewhere', { tags: [] }, { project: 'other' });
  await putDatabase('external', {}, { placement: 'External' });
  await putDatabase('fine', { region: 'local', tags: ['pci'] });
  assert.is((await save('pci')).status, 200);
  await putDatabase('fast', { tags: ['gpu'], required: ['pci'] });
  await putDatabase('orders', { required: ['pci'] });
  const sentence = '409 the database "fine" in the region "local" was not placed on nodes with the tag "gpu"';
  assert.is(await refusal('pci', 'gpu'), sentence);
  assert.equal(stored()?.spec.requiredTags, ['pci']);
  assert.is((await save('pci')).status, 200, 'only added tags are checked');
});

spec('PRJ-046 a database without a recorded placement counts as placed without the tag', async () => {
  await putNode('one', { tags: ['pci'], reserved: 'pci' });
  await putDatabase('old', null, { placement: 'InCluster', engine: 'Redis' });
  assert.match(await refusal('pci'), '409 the database "old" in the region "local" was not placed');
});

spec(
  'PRJ-048 NET-014 required tags are a sorted annotation of the namespaces, removed when no tag is required',
  async () => {
    await putNode('one', { tags: ['pci', 'gpu'], reserved: 'pci' });
    assert.equal((await save('pci', 'gpu')).status, 200);
    assert.equal(stored()?.spec.requiredTags, ['pci', 'gpu']);
    const annotated = () => namespaceIn(served.world)?.metadata.annotations?.['core.platform/required-tags'];
    await until(() => annotated() === 'gpu,pci', 'the namespace has the annotation');
    assert.equal((await save()).status, 200);
    assert.is(stored()?.spec.requiredTags, undefined);
    await until(() => annotated() === undefined, 'the namespace has no annotation');
  },
);

spec('NET-017 required tags move no existing object and ignore resources outside the cluster', async () => {
  await putNode('one', { tags: ['pci'], reserved: 'pci' });
  await putDatabase('external', null, { placement: 'External' });
  await putDatabase('managed', null, { placement: 'External', provider: 'ManagedDb' });
  await putDatabase('inside', { tags: ['pci'] });
  const { cluster } = served.world;
  cluster.put(owned.claims, {
    metadata: { name: 'inside', namespace: 'shop-production' },
    spec: { storageClassName: 'core-single' },
  } as KubeObject);
  const place = { name: 'cloud', namespace: systemNamespace };
  cluster.put(cloudConnections, {
    metadata: place,
    spec: { project: 'shop', provider: 'Cloud', secretRef: { name: 'none' } },
  } as never);
  const spec = { project: 'shop', environment: 'production', mode: 'Bucket', connectionRef: { name: 'cloud' } };
  cluster.put(objectStores, { metadata: place, spec } as never);
  await until(() => served.operator.caches.get(objectStores, 'cloud'), 'the bucket is cached');
  const all = () =>
    [databases, owned.claims, cloudConnections, objectStores]
      .flatMap((resource: Resource): readonly KubeObject[] => cluster.all(resource))
      .map((object) => [object.kind, object.metadata.uid, (object as { readonly spec?: unknown }).spec] as const);
  const before = all();
  /** Without what is provisioned meanwhile. */
  const kept = () => all().filter(([, uid]) => before.some(([, was]) => was === uid));
  assert.is((await save('pci')).status, 200);
  await until(
    () => namespaceIn(served.world)?.metadata.annotations?.['core.platform/required-tags'] === 'pci',
    'the namespace has the annotation',
  );
  assert.equal(kept(), before);
  assert.equal(
    (await report()).resources.map(({ name }) => name),
    ['inside'],
  );
});

spec('API-007 API-008 the compliance report lists the checks and the nodes of each database', async () => {
  await putNode('one', { tags: ['pci'], reserved: 'pci' });
  await putNode('two');
  await putDatabase('orders', { tags: ['pci'] });
  await putDatabase('users', { tags: ['pci'] });
  await putDatabase('idle', { region: 'local' });
  const pod = (name: string, of: string, nodeName: string) =>
    void served.world.cluster.put(workloadPods, {
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'shop-production',
        labels: {
          'core.platform/managed-by': 'core',
          'core.platform/kind': 'CoreDatabase',
          'core.platform/name': of,
          'core.platform/project': 'shop',
        },
      },
      spec: { nodeName },
      status: { phase: 'Running' },
    });
  pod('orders-1', 'orders', 'one');
  pod('users-1', 'users', 'two');
  await until(() => served.operator.caches.list(workloadPods).length === 2, 'the pods are cached');
  // By hand no check is made (PRJ-047).
  putProject(served.world, { requiredTags: ['pci'] });
  await until(() => cached()?.spec.requiredTags?.length === 1, 'the tags are saved');
  const row = (name: string, node: string, why: string) => ({
    kind: 'CoreDatabase',
    name,
    environment: 'production',
    node,
    compliant: why === '',
    why,
  });
  assert.equal(await report(), {
    project: 'shop',
    requiredTags: ['pci'],
    region: 'local',
    checks: [
      { check: 'tagsExist', ok: true, message: '' },
      { check: 'nodesReserved', ok: true, message: '' },
      {
        check: 'databasesPlaced',
        ok: false,
        message: 'the database "idle" in the region "local" was not placed on nodes with the tag "pci"',
      },
    ],
    resources: [
      row('idle', '', 'its data were not placed on nodes with the tag "pci"'),
      row('orders', 'one', ''),
      row('users', 'two', 'the node does not carry the tag "pci"'),
    ],
  });
});

spec('PRJ-047 required tags set in the cluster are not checked', async () => {
  putProject(served.world, { requiredTags: ['nobody-has-it'] });
  await until(() => cached()?.spec.requiredTags?.length === 1, 'they are saved');
  assert.equal(
    (await report()).checks.map(({ check, ok }) => `${check} ${ok}`),
    ['tagsExist false', 'nodesReserved true', 'databasesPlaced true'],
  );
});

spec(
  'AUT-068 AUT-072 an invalid list of tags is refused, and so is a caller who is not a workspace admin',
  async () => {
    const many = Array.from({ length: 9 }, (_, at) => `t${at}`);
    const list = '400 requiredTags must be a list of at most 8, none twice';
    assert.is(await refusal(...many), list);
    assert.is(await refusal('a', 'a'), list);
    assert.match(await refusal('Not'), '400 requiredTags.0 must be a text that matches');
    assert.match(await refusal('x'.repeat(41)), '400 requiredTags.0 must be');
    const { status, text } = await served.post(path, {});
    assert.equal([status, text], [400, '{"error":"requiredTags is required"}']);
    const asked = async (fields: object) => {
      const { token } = await served.makeToken(fields);
      const said = await served.askAs(token, path);
      return `${said.status} ${(said.json() as { readonly error?: string }).error ?? ''}`;
    };
    assert.is(await asked({ role: 'admin' }), '200 ');
    assert.is(await asked({ role: 'observer' }), '403 only an admin may do this');
    const ofProject = { role: undefined, project: 'shop', environment: 'production' };
    assert.is(await asked(ofProject), '403 a project token cannot do this');
  },
);

spec.run();
