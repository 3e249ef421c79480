import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../crds/kind.ts';
import { environmentNamespace, isMade, namespaceFound, namespaceLacks } from '../../rules/project/namespace.ts';
import { environmentResources } from '../../rules/project/environmentResources.ts';
import type { NetworkPolicy } from '../../rules/project/policies.ts';
import { mergePatch } from '../../runtime/embedded/api/patch/merge.ts';
import { suite } from '../support/suite.ts';

const spec = suite('objects in the environments of a project');
const of = { project: 'shop', environment: 'production', cluster: 'local' };
const wanted = (...tags: readonly string[]) => ({ ...of, ownerUid: 'uid-1', tags });
const owner = { kind: 'CoreProject', name: 'shop', uid: 'uid-1', adopts: false };
const made = { 'core.platform/owner-uid': 'uid-1' };
const ours = {
  'core.platform/managed-by': 'core',
  'core.platform/project': 'shop',
  'core.platform/environment': 'production',
  'core.platform/cluster': 'local',
};
const namespace = (labels: Readonly<Record<string, string>>, more: object = {}): KubeObject => ({
  metadata: { name: 'shop-production', labels, ...more },
});

type Network = Parameters<typeof environmentResources>[1]['network'];
const policy = (name: string, network?: Network) =>
  environmentResources(of, network ? { network } : {}).find(({ kind, metadata }) => {
    assert.is(metadata.namespace, 'shop-production');
    assert.equal(metadata.labels, ours);
    return kind === 'NetworkPolicy' && metadata.name === name;
  }) as NetworkPolicy | undefined;

interface Peer {
  readonly namespaceSelector: {
    readonly matchExpressions: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values: string[];
    }[];
  };
}

interface PolicySpec {
  readonly podSelector: object;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly { readonly from: readonly Peer[] }[];
}
const specOf = (given: NetworkPolicy | undefined) => (given ?? { spec: {} }).spec as PolicySpec;

/** Whether a policy lets pods of a namespace with these labels in, read as Kubernetes reads it. */
function lets(given: NetworkPolicy | undefined, labels: Readonly<Record<string, string>>): boolean {
  const { ingress = [] } = specOf(given);
  return ingress.some(({ from }) =>
    from.some(({ namespaceSelector: { matchExpressions } }) =>
      matchExpressions.every(({ key, operator, values }) => {
        assert.is(operator, 'In');
        return values.includes(labels[key] ?? '');
      }),
    ),
  );
}

spec('PRJ-024 PRJ-099 the namespace of an environment has its four labels', () => {
  assert.equal(environmentNamespace(wanted()), {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop-production', labels: ours, annotations: made },
  });
});

spec(
  'PRJ-048 KND-032 a project writes its required tags sorted on its namespaces and removes them when none is required',
  () => {
    const tagged = environmentNamespace(wanted('eu', 'certified'));
    assert.equal(tagged.metadata.annotations, { ...made, 'core.platform/required-tags': 'certified,eu' });
    assert.is(namespaceLacks(tagged, wanted('certified', 'eu')), null);
    assert.equal(namespaceLacks(tagged, wanted()), {
      metadata: { annotations: { 'core.platform/required-tags': null } },
    });
  },
);

spec('PRJ-100 a namespace without a project gets the labels, but not the mark of creation', () => {
  const { 'core.platform/managed-by': _, ...claimed } = ours;
  for (const labels of [{}, { team: 'a' }, { 'core.platform/environment': 'staging' }]) {
    const found = namespace(labels);
    assert.is(namespaceFound(found, owner), 'unclaimed');
    assert.equal(namespaceLacks(found, wanted()), { metadata: { labels: claimed } });
    assert.not.ok(isMade(namespace(claimed)));
  }
  assert.ok(isMade(environmentNamespace(wanted())));
});

spec('PRJ-100 a namespace gets missing labels once, and its other fields stay unchanged', () => {
  const text = fc.constantFrom('shop', 'production', 'local', 'core', 'other');
  const labels = fc.dictionary(fc.constantFrom(...Object.keys(ours), 'theirs'), text);
  const annotations = fc.dictionary(fc.constantFrom('core.platform/required-tags', 'theirs'), text);
  fc.assert(
    fc.property(labels, annotations, fc.subarray(['shop', 'other']), (given, notes, tags) => {
      const found = namespace(given, { annotations: notes });
      const patch = namespaceLacks(found, wanted(...tags));
      const after = (patch ? mergePatch({ ...found }, patch) : found) as KubeObject;
      assert.is(namespaceLacks(after, wanted(...tags)), null);
      const { 'core.platform/managed-by': managed, ...claimed } = ours;
      assert.equal(after.metadata.labels, { ...given, ...claimed });
      assert.is(after.metadata.labels?.['core.platform/managed-by'], given['core.platform/managed-by'], managed);
      assert.is(after.metadata.annotations?.['theirs'], notes['theirs']);
    }),
  );
});

spec('a namespace of another project, or of a former project of this name, is in use even while terminating', () => {
  const other = { ...owner, name: 'api' };
  assert.is(namespaceFound(undefined, owner), 'absent');
  assert.is(namespaceFound(namespace(ours), owner), 'own');
  assert.is(namespaceFound(namespace(ours), other), 'taken');
  const earlier = namespace(ours, { annotations: { 'core.platform/owner-uid': 'uid-0' } });
  assert.is(namespaceFound(earlier, owner), 'taken');
  assert.is(namespaceFound(earlier, { ...owner, adopts: true }), 'own');
  assert.equal(
    namespaceLacks(earlier, wanted()),
    { metadata: { annotations: made } },
    'it is of this life from then on',
  );
  const ending = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  assert.is(namespaceFound(namespace(ours, ending), owner), 'ending');
  assert.is(namespaceFound(namespace(ours, ending), other), 'taken');
  assert.is(namespaceFound(namespace({}, ending), owner), 'ending');
});

spec('PRJ-032 NET-001 NET-002 a project is isolated unless its spec disables isolation', () => {
  for (const network of [
    undefined,
    { isolation: 'Project' as const },
    { isolation: 'Project' as const, allowFromProjects: ['a'] },
  ])
    assert.ok(policy('core-project-isolation', network));
  assert.is(policy('core-project-isolation', { isolation: 'None', allowFromProjects: ['a'] }), undefined);
});

spec(
  'NET-003 NET-004 PRJ-088 NET-010 a project accepts traffic from its own namespaces and those of allowed projects only',
  () => {
    const isolation = policy('core-project-isolation', { isolation: 'Project', allowFromProjects: ['api', 'shop'] });
    const project = (name: string) => ({ 'core.platform/project': name, 'kubernetes.io/metadata.name': `${name}-x` });
    assert.ok(lets(isolation, project('shop')));
    assert.ok(lets(isolation, project('api')));
    assert.not.ok(lets(isolation, project('web')));
    assert.not.ok(lets(isolation, {}));
    assert.not.ok(lets(policy('core-project-isolation'), project('api')), 'nothing is allowed');
    assert.equal(specOf(isolation).podSelector, {});
    assert.equal(specOf(isolation).policyTypes, ['Ingress']);
  },
);

spec('NET-005 a project accepts traffic from the namespaces of the platform', () => {
  const names = ['kube-system', 'core-system', 'monitoring', 'cnpg-system', 'core-serverless'];
  for (const name of names) assert.ok(lets(policy('core-project-isolation'), { 'kubernetes.io/metadata.name': name }));
  assert.not.ok(lets(policy('core-project-isolation'), { 'kubernetes.io/metadata.name': 'default' }));
});

spec('NET-006 NET-007 pods reach everything but 169.254.0.0/16, whatever the isolation', () => {
  for (const isolation of ['Project', 'None'] as const)
    assert.equal(policy('core-block-cloud-metadata', { isolation })?.spec, {
      podSelector: {},
      policyTypes: ['Egress'],
      egress: [
        {
          to: [
            { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
            { ipBlock: { cidr: '::/0' } },
            { namespaceSelector: {} },
          ],
        },
      ],
    });
});

spec.run();
