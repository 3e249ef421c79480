import * as assert from 'uvu/assert';
import type { StoredCause } from '../../crds/cause.ts';
import { storageCauses } from '../../rules/backupStorage/causes.ts';
import type { StorageBlocker } from '../../rules/backupStorage/state.ts';
import type { FoundCause } from '../../rules/cause/cause.ts';
import { findings } from '../../rules/cause/findings.ts';
import { reasons } from '../../rules/cause/reasons.ts';
import type { MissingSource } from '../../rules/cause/missingSource.ts';
import { known } from '../../rules/fact.ts';
import { deletionCauses } from '../../rules/project/deletionCauses.ts';
import { terminatingOf } from '../../rules/project/terminating.ts';
import { causesBeside } from '../../rules/projectReady/causes.ts';
import { projectReadyVerdicts, type ProjectVerdictFacts } from '../../rules/projectReady/ready.ts';
import { textFor } from '../../rules/words.ts';
import { suite } from '../support/suite.ts';

const spec = suite('causes of a project');

const secret = { kind: 'Secret', name: 'shop-shared-secrets', namespace: 'core-system' };
const self = { kind: 'CoreProject', name: 'shop', namespace: 'core-system' };
const missing: MissingSource = { what: 'shared variable "KEY"', on: secret, key: null, variable: 'KEY' };
const staging = { kind: 'Namespace', name: 'shop-staging', namespace: '' };
const held = { name: 'shop-staging', finalizers: ['example.org/hold', 'example.org/keep'], why: '' };

const fine: ProjectVerdictFacts = {
  project: 'shop',
  deleted: false,
  environments: ['production', 'staging'],
  remaining: [],
  clusterRef: 'local',
  observedClusterRef: 'local',
  cluster: 'ready',
  namespaces: known([{ name: 'shop-production', is: 'own', isWhole: true }]),
  missingPieces: [],
  contested: [],
  failure: null,
  missingVariables: [],
  terminating: [],
  reached: 'Reconciling',
};

const cause = (over: Partial<StoredCause>): StoredCause => ({
  of: 'Ready',
  reason: 'NodesNotReady',
  severity: 'failure',
  message: 'No node is ready',
  params: [],
  on: { kind: 'CoreCluster', name: 'local', namespace: 'core-system' },
  since: '2027-01-01T00:00:00Z',
  ...over,
});

const told = ({ of = 'Ready', reason, severity = reasons[reason], message, on, root }: FoundCause) => ({
  of,
  reason,
  severity,
  message: message.text,
  on,
  ...(root && { root }),
});
const causesOf = (facts: Partial<ProjectVerdictFacts>, worst?: StoredCause) =>
  findings(projectReadyVerdicts, { ...fine, ...facts }, { self, copies: () => [], causeOf: () => worst }).map(told);
const only = (facts: Partial<ProjectVerdictFacts>, worst?: StoredCause) => {
  const [found, ...others] = causesOf(facts, worst);
  assert.equal(others, []);
  if (found === undefined) throw new Error('no cause was found');
  return found;
};

spec('PRJ-114a a project that is set up names the Secret, the key and the namespace that it lacks', () => {
  const lacks = { missingVariables: [missing, { ...missing, key: 'staging__KEY' }], terminating: [held] };
  assert.equal(causesOf(lacks), [
    {
      of: 'Ready',
      reason: 'SecretMissing',
      severity: 'failure',
      message: 'Secret "shop-shared-secrets" is missing, variable KEY',
      on: secret,
    },
    {
      of: 'Ready',
      reason: 'KeyMissing',
      severity: 'failure',
      message: 'Secret "shop-shared-secrets": key "staging__KEY" is missing, variable KEY',
      on: secret,
    },
    {
      of: 'Ready',
      reason: 'NamespaceTerminating',
      severity: 'failure',
      message: 'namespace "shop-staging" is being deleted; example.org/hold, example.org/keep hold it',
      on: staging,
    },
  ]);
});

spec('PRJ-114a a project that lacks nothing else names the first piece that is to be written', () => {
  const parts = ['NetworkPolicy default', 'RoleBinding core'];
  const written = {
    of: 'Ready',
    reason: 'CopiesStarting',
    severity: 'progress',
    message: 'NetworkPolicy default is being written',
    on: self,
  };
  assert.equal(causesOf({ missingPieces: parts }), [written]);
  const namespaces = known([{ name: 'shop-production', is: 'absent', isWhole: false } as const]);
  assert.equal(causesOf({ missingPieces: parts, namespaces }), [
    { ...written, message: 'Namespace shop-production is being written' },
  ]);
});

spec('PRJ-113 a ready project names variables and environments beside Ready', () => {
  const facts = { ...fine, reached: 'ProjectReady', missingVariables: [missing], terminating: [held] } as const;
  assert.equal(causesOf(facts), []);
  assert.equal(
    causesBeside(facts, []).map(({ of, reason, on }) => [of, reason, on.name]),
    [
      ['Variables', 'SecretMissing', 'shop-shared-secrets'],
      ['Environments', 'NamespaceTerminating', 'shop-staging'],
    ],
  );
});

spec('what Ready names is not named beside it once more', () => {
  const facts = { ...fine, missingVariables: [missing], terminating: [held] };
  const ofReady = findings(projectReadyVerdicts, facts, { self, copies: () => [], causeOf: () => undefined });
  assert.equal(causesBeside(facts, ofReady), []);
});

spec('PRJ-116 a cluster that is not ready is the root, with its own words', () => {
  assert.equal(only({ cluster: 'notReady' }, cause({})), {
    of: 'Ready',
    reason: 'ClusterNotReady',
    severity: 'waiting',
    message: 'Referenced CoreCluster is not ready: No node is ready',
    on: { kind: 'CoreCluster', name: 'local', namespace: 'core-system' },
    root: { kind: 'CoreCluster', name: 'local', namespace: 'core-system', reason: 'NodesNotReady' },
  });
});

spec('PRJ-115 PRJ-118 PRJ-119 PRJ-120 PRJ-121 PRJ-122 PRJ-122a a message that is its own cause keeps its words', () => {
  const taken = known([{ name: 'shop-staging', is: 'taken', isWhole: false } as const]);
  const rows: readonly (readonly [Partial<ProjectVerdictFacts>, string, string, string])[] = [
    [{ cluster: 'absent' }, 'ClusterNotReady', 'local', 'Referenced CoreCluster is not available'],
    [{ clusterRef: 'far' }, 'SpecInvalid', 'shop', "Changing a project's clusterRef is not supported"],
    [{ environments: ['a', 'a'] }, 'SpecInvalid', 'shop', 'Project environments must be unique'],
    [{ project: 'Shop' }, 'SpecInvalid', 'shop', 'invalid project "Shop"'],
    [{ environments: ['A'] }, 'SpecInvalid', 'shop', 'invalid environment "A"'],
    [
      { environments: ['x'.repeat(60)] },
      'SpecInvalid',
      'shop',
      `project/environment namespace "shop-${'x'.repeat(60)}" is invalid`,
    ],
    [
      { namespaces: taken },
      'NamespaceTaken',
      'shop-staging',
      'project/environment namespace "shop-staging" belongs to another project',
    ],
  ];
  for (const [facts, reason, name, message] of rows) {
    const found = only(facts);
    assert.equal([found.reason, found.severity, found.on.name, found.message], [reason, 'failure', name, message]);
  }
});

const policy = { kind: 'NetworkPolicy', name: 'core-project-isolation', namespace: 'shop-staging' };
const refused = (why: string, counts: 'counted' | 'waiting' = 'counted', on = policy) =>
  only({ failure: { counts, why, on }, terminating: [held] });

spec('PRJ-128a a refused write names the object and the words of the API server', () => {
  const why = 'networkpolicies.networking.k8s.io "core-project-isolation" is forbidden: exceeded quota: few';
  assert.equal(
    [refused('denied the request').reason, refused('denied the request').message, refused('denied the request').on],
    [
      'ClusterRefused',
      'the cluster refuses to write NetworkPolicy "core-project-isolation": denied the request',
      policy,
    ],
  );
  assert.equal(
    [refused(why).reason, refused(why).message],
    ['QuotaExceeded', `the quota of namespace "shop-staging" is used up: ${why}`],
  );
  const unmanaged = 'NetworkPolicy shop-staging/core-project-isolation already exists and is not managed by Core';
  assert.equal(
    [refused(unmanaged).reason, refused(unmanaged).message],
    ['ForeignObject', 'NetworkPolicy "core-project-isolation" belongs to somebody else'],
  );
});

spec('PRJ-128b a namespace that is being deleted names the finalizers that hold it', () => {
  const forbidden =
    'networkpolicies.networking.k8s.io "core-project-isolation" is forbidden: unable to create new content in namespace shop-staging because it is being terminated';
  const message = 'namespace "shop-staging" is being deleted; example.org/hold, example.org/keep hold it';
  for (const found of [refused(forbidden), refused('namespace "shop-staging" is being deleted', 'waiting', staging)])
    assert.equal(found, { of: 'Ready', reason: 'NamespaceTerminating', severity: 'failure', message, on: staging });
  const uncached = only({ failure: { counts: 'counted', why: forbidden, on: policy } });
  assert.equal([uncached.on, uncached.message], [staging, 'namespace "shop-staging" is being deleted']);
});

spec('PRJ-128b a write without an answer is progress, because nobody has to act yet', () => {
  const found = refused('no answer', 'waiting');
  assert.equal(
    [found.reason, found.severity, found.message],
    ['ClusterRefused', 'progress', 'NetworkPolicy "core-project-isolation" is not written yet: no answer'],
  );
});

spec('PRJ-123 a project that was given up tells the cause of the row that would hold', () => {
  assert.is(only({ reached: 'ProvisionFailed', cluster: 'absent' }).reason, 'ClusterNotReady');
  assert.equal(causesOf({ reached: 'ProvisionFailed' }), []);
});

const condition = (type: string, message: string, status = 'True') => ({ type, status, reason: 'x', message });
const ending = (conditions: readonly object[], metadata: object = {}) =>
  terminatingOf({ metadata: { name: 'shop-staging', ...metadata }, status: { conditions } } as never);

spec('the finalizers that hold a namespace are read from its conditions, or are its own', () => {
  const some =
    'Some content in the namespace has finalizers remaining: example.org/hold in 2 resource instances, foregroundDeletion in 1 resource instances';
  const left = 'Some resources are remaining: configmaps. has 2 resource instances';
  assert.equal(
    ending([condition('NamespaceContentRemaining', left), condition('NamespaceFinalizersRemaining', some)]).finalizers,
    ['example.org/hold', 'foregroundDeletion'],
  );
  assert.equal(ending([condition('NamespaceFinalizersRemaining', some, 'False')]).finalizers, []);
  assert.equal(ending([], { finalizers: ['example.org/own'] }).finalizers, ['example.org/own']);
  const own = { metadata: { name: 'a' }, spec: { finalizers: ['kubernetes', 'example.org/own'] } };
  assert.equal(terminatingOf(own).finalizers, ['example.org/own']);
  assert.is(ending([condition('NamespaceContentRemaining', left)]).why, left);
});

spec('a viewer reads that a namespace hangs and what holds it, and not the name of a Secret', () => {
  const causes = causesBeside({ missingVariables: [missing], terminating: [held] }, []);
  assert.equal(
    causes.map(({ message }) => textFor(message, 'viewer')),
    [
      'Secret "…" is missing, variable …',
      'namespace "shop-staging" is being deleted; example.org/hold, example.org/keep hold it',
    ],
  );
});

const storage = (lacks: Parameters<typeof storageCauses>[1]['lacks'], by?: StorageBlocker) =>
  storageCauses({ is: 'failing', error: 'why', ...(by && { by }) }, { name: 'cloud', lacks }).map(told)[0];

spec('backup storage that does not work names the connection, its Secret or the cloud', () => {
  const connection = { kind: 'CoreCloudConnection', name: 'cloud', namespace: 'core-system' };
  const of = { of: 'BackupStorage', severity: 'failure' };
  assert.equal(storage({ is: 'absent' }), { ...of, reason: 'CloudConnectionMissing', message: 'why', on: connection });
  assert.is(storage({ is: 'foreign' })?.reason, 'CloudConnectionForeign');
  assert.equal(storage({ is: 'missing', secret: 'cloud-keys', key: null }), {
    ...of,
    reason: 'SecretMissing',
    message: 'Secret "cloud-keys" is missing',
    on: { ...secret, name: 'cloud-keys' },
  });
  assert.is(storage({ is: 'missing', secret: 'cloud-keys', key: 'ACCESS_KEY_ID' })?.reason, 'KeyMissing');
  assert.equal(storage(null, 'refusal'), {
    ...of,
    reason: 'CloudRefused',
    message: 'the cloud refused the backup storage: why',
    on: connection,
  });
  assert.equal(
    [storage(null)?.reason, storage(null)?.message],
    ['BackupStorageFailing', 'Backup storage is not working: why'],
  );
  assert.equal(storageCauses({ is: 'working', region: '', secret: '' }, { name: 'cloud', lacks: null }), []);
});

spec('a deletion names what remains, and its root', () => {
  const left = [{ kind: 'CoreDatabase', name: 'db' }];
  const going = { is: 'environment', name: 'staging', everything: true } as const;
  const deleting = { project: 'shop', remaining: [{ ...going, left }] };
  const hung = { ...cause({ of: 'Deletion', reason: 'DeletionWaits' }), root: { ...staging, reason: 'X' } };
  assert.equal(deletionCauses(deleting, () => hung).map(told)[0], {
    of: 'Deletion',
    reason: 'DeletionWaits',
    severity: 'waiting',
    message: 'environment "staging" is being deleted, and left of it is: CoreDatabase db',
    on: staging,
    root: { ...staging, reason: 'X' },
  });
  const namespace = { ...deleting, remaining: [{ ...going, left: [{ kind: 'Namespace', name: 'shop-staging' }] }] };
  assert.equal(deletionCauses(namespace, () => undefined)[0]?.root, { ...staging, reason: 'NamespaceTerminating' });
  assert.equal(
    deletionCauses({ ...deleting, remaining: [{ ...going, left: [] }] }, () => undefined),
    [],
  );
});

spec.run();
