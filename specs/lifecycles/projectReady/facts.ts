import * as fc from 'fast-check';
import type { MissingSource } from '../../../rules/cause/missingSource.ts';
import { known as knownFact, unknown } from '../../../rules/fact.ts';
import type { Remaining } from '../../../rules/project/remaining.ts';
import type { Terminating } from '../../../rules/project/terminating.ts';
import type { NamespaceSeen } from '../../../rules/project/namespace.ts';
import type { ProjectReadyFacts } from '../../../rules/projectReady/facts.ts';
import type { ProjectVerdictFacts } from '../../../rules/projectReady/ready.ts';

/** A shared variable whose Secret has no such key. */
export const unreadVariable: MissingSource = {
  what: 'shared variable "KEY"',
  on: { kind: 'Secret', name: 'shop-shared-secrets', namespace: 'core-system' },
  key: 'k',
  variable: 'KEY',
};

const long = (length: number) => 'x'.repeat(length);

const fine = fc.constantFrom('shop', 'proj-0123abcd', 'a', long(31));
const project = fc.oneof(
  { weight: 12, arbitrary: fine },
  { weight: 1, arbitrary: fc.constantFrom('Shop', 'my.shop', '-shop', 'shop-', '', long(63), long(64)) },
);
/** With a project of 31 characters, 31 more make a namespace of 63 and 32 one of 64. */
const environments: fc.Arbitrary<readonly string[]> = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(['production'], ['production', 'staging'], [long(31)], ['pr-7', '0']) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ['production', 'production'],
      ['a', 'b', 'a'],
      ['production', 'Staging'],
      ['a_b'],
      [''],
      [long(32)],
      [long(63)],
      [long(64)],
    ),
  },
);
const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const ownObject = { name: 'shop-production', is: 'own', isWhole: true } as const;
const namespaces = mostly<readonly NamespaceSeen[]>(
  [ownObject],
  [],
  [{ ...ownObject, is: 'absent', isWhole: false }],
  [{ ...ownObject, isWhole: false }],
  [ownObject, { name: 'shop-staging', is: 'unclaimed', isWhole: false }],
  [ownObject, { name: 'shop-staging', is: 'ending', isWhole: false }],
  [{ ...ownObject, is: 'taken', isWhole: false }],
  [ownObject, { name: 'a-b', is: 'taken', isWhole: false }, { name: 'a-c', is: 'taken', isWhole: false }],
);

const known = {
  now: fc.constant(0),
  project,
  deleted: mostly(false, true),
  environments,
  remaining: mostly<readonly Remaining[]>(
    [],
    [{ is: 'project', name: 'shop', everything: true, left: [{ kind: 'CoreApp', name: 'hello' }] }],
    [{ is: 'environment', name: 'staging', everything: true, left: [] }],
  ),
  clusterRef: mostly('local', 'other'),
  observedClusterRef: fc.constantFrom('', 'local', 'local', 'local'),
  cluster: mostly<ProjectReadyFacts['cluster']>('ready', 'absent', 'notReady'),
  namespaces: namespaces.map(knownFact),
  missingPieces: fc.constantFrom<readonly string[]>([], [], ['NetworkPolicy shop-production/core-project-isolation']),
  contested: mostly<readonly string[]>([], ['NetworkPolicy a/b keeps being overwritten by kubectl']),
  failure: mostly<ProjectReadyFacts['failure']>(
    null,
    { counts: 'counted', why: 'namespaces "shop-production" is forbidden' },
    { counts: 'waiting', why: 'namespace "shop-production" is being deleted' },
  ),
  missingVariables: fc.constantFrom<readonly MissingSource[]>([], [], [unreadVariable]),
  terminating: mostly<readonly Terminating[]>(
    [],
    [{ name: 'shop-staging', finalizers: ['example.org/hold'], why: '' }],
  ),
  retry: fc.constantFrom<ProjectReadyFacts['retry']>('Clean', 'Counting', 'Counting', 'ProvisionFailed'),
};

/** Known facts at every boundary. */
export const facts: fc.Arbitrary<ProjectReadyFacts> = fc.record(known);

/** The same with the state that a pass reached. */
export const verdictFacts: fc.Arbitrary<ProjectVerdictFacts> = fc.record({
  ...known,
  reached: fc.constantFrom<ProjectVerdictFacts['reached']>(
    'ProjectReady',
    'Reconciling',
    'ProvisionFailed',
    'ReconcileError',
  ),
});

const text = fc.oneof(fc.constantFrom('', '__proto__', 'PRODUCTION', long(10_000)), fc.string());
const texts = fc.array(text, { maxLength: 4 });

/** Invalid facts. */
export const invalid: fc.Arbitrary<ProjectReadyFacts> = fc.record({
  now: fc.integer(),
  project: text,
  deleted: fc.boolean(),
  environments: texts,
  remaining: fc.array(
    fc.record({
      is: fc.constantFrom('project' as const, 'environment' as const),
      name: text,
      everything: fc.boolean(),
      left: fc.array(fc.record({ kind: text, name: text }), { maxLength: 20 }),
    }),
    { maxLength: 3 },
  ),
  clusterRef: text,
  observedClusterRef: text,
  cluster: fc.constantFrom('absent', 'notReady', 'ready'),
  namespaces: fc.oneof(
    fc
      .array(fc.record({ name: text, is: fc.constantFrom('absent', 'own', 'taken'), isWhole: fc.boolean() }))
      .map((value) => knownFact<readonly NamespaceSeen[]>(value)),
    fc.constant(unknown('')),
  ),
  missingPieces: texts,
  contested: texts,
  failure: fc.option(fc.record({ counts: fc.constantFrom('waiting', 'counted', 'permanent'), why: text })),
  missingVariables: fc.array(
    fc.record({
      what: text,
      on: fc.record({ kind: text, name: text, namespace: text }),
      key: fc.option(text),
      variable: fc.option(text),
    }),
    { maxLength: 3 },
  ),
  terminating: fc.array(fc.record({ name: text, finalizers: texts, why: text }), { maxLength: 3 }),
  retry: fc.constantFrom('Clean', 'Counting', 'ProvisionFailed'),
});
