import * as fc from 'fast-check';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';
import type { ObjectStoreFacts, ObjectStoreSurroundings } from '../../../rules/objectStore/facts.ts';
import type { ObjectStoreStanding } from '../../../rules/objectStore/ready.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import { closed } from '../../../rules/words.ts';

type Around = ObjectStoreSurroundings;

/** Mostly the value that hinders nothing, so that what is checked late is met as well. */
const often = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) });

const working = { is: 'working', region: 'eu-west-1', secret: 'files-bucket-keys' } as const;

const around: fc.Arbitrary<Around> = fc.record({
  mode: fc.constantFrom('Bucket', 'Bucket', 'Server'),
  unsupported: often('', 'a bucket needs serverRef or connectionRef'),
  movedFrom: often('', 'core-files-1'),
  environment: fc.constantFrom('production', 'pr-7'),
  project: often<Around['project']>(
    { name: 'shop', is: 'fine' },
    { name: '', is: 'none' },
    { name: 'shop', is: 'absent' },
    { name: 'shop', is: 'notReady' },
    { name: 'shop', is: 'withoutEnvironment' },
  ),
  cloud: often<string | null>(null, 'cloud connection "aws" was not found'),
  server: often<Around['server']>(
    { name: '', is: 'none' },
    { name: 'store', is: 'fine' },
    { name: 'store', is: 'absent' },
    { name: 'store', is: 'notServer' },
    { name: 'store', is: 'notReady' },
  ),
  lackingTags: often<readonly string[]>([], ['gdpr'], ['gdpr', 'gpu']),
  bucket: fc.oneof(
    { weight: 12, arbitrary: fc.constant<Around['bucket']>(working) },
    {
      weight: 4,
      arbitrary: fc.constantFrom<Around['bucket'][]>(
        null,
        { is: 'waiting', why: 'the cloud does not know the new key yet' },
        { is: 'failing', error: 'AccessDenied' },
      ),
    },
  ),
  failure: often<string | null>(null, 'the Secret "files-bucket" exists already'),
  isCurrent: fc.constantFrom(true, true, true, false),
  runs: fc.constantFrom(true, true, true, false),
});

/** Mostly what lets it be provisioned, so that everything else is met as well. */
const gate = fc.constantFrom<ObjectStoreFacts['gate'][]>(
  'Draft',
  'Deployed',
  'PendingChanges',
  'Ungated',
  'Deployed',
  'Ungated',
  'Deployed',
  'PendingChanges',
  'SnapshotMissing',
);
const retry: fc.Arbitrary<RetrySeen> = fc.record({
  state: fc.constantFrom('Clean', 'Clean', 'Clean', 'Counting', 'ProvisionFailed'),
  event: fc.constantFrom(
    null,
    null,
    null,
    'rowBegan',
    'failureCounted',
    'failureRepeated',
    'limitReached',
    'timeRanOut',
    'permanentlyFailed',
    'generationChanged',
    'redeployFound',
    'stayedFailed',
  ),
});

const plain = { now: fc.constant(1_700_000_000_000), gate, retry } as const;
const usedBy = fc.constantFrom<(readonly string[])[]>([], [], ['files'], ['files', 'media']);

/** Facts that are all known. */
export const facts: fc.Arbitrary<ObjectStoreFacts> = fc.record({
  ...plain,
  deleted: fc.constantFrom(false, false, false, false, false, true),
  around: around.map(known),
  usedBy,
  remains: fc.boolean(),
});

const notKnown = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<Fact<T>> =>
  fc.oneof(of.map(known), fc.constant(unasked), fc.constant(unknown('could not be read')));
const text = fc.constantFrom('', 'files', '__proto__', '<b>', 'x'.repeat(10_000));

/** Facts that nobody should send. */
export const hostile: fc.Arbitrary<ObjectStoreFacts> = fc.record({
  ...plain,
  now: fc.constantFrom(0, -1, Number.NaN, Number.MAX_SAFE_INTEGER),
  deleted: fc.boolean(),
  around: notKnown(
    fc.tuple(around, text).map(([of, name]) => ({
      ...of,
      unsupported: of.isCurrent ? name : '',
      movedFrom: of.runs ? name : '',
      environment: name,
      project: { ...of.project, name },
      cloud: name,
      server: { ...of.server, name },
      lackingTags: [name],
      bucket: { is: 'failing' as const, error: name },
      failure: name,
    })),
  ),
  usedBy: text.map((name) => [name]),
  remains: fc.boolean(),
});

/** An object store with the states of its machines, for the Ready condition. */
export const standing: fc.Arbitrary<ObjectStoreStanding> = fc
  .record({
    around,
    gate: often<ObjectStoreStanding['gate']>('Deployed', 'Draft', 'SnapshotMissing', 'PendingChanges', 'Ungated'),
    retrying: often(false, true),
    leaving: often<ObjectStoreStanding['leaving']>(null, 'deletion'),
    gaveUp: often<ObjectStoreStanding['gaveUp']>(
      null,
      { by: 'failures' },
      { by: 'permanentError', why: closed('access denied') },
    ),
  })
  .map(({ around: of, ...rest }) => ({ ...of, ...rest }));
