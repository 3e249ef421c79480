import * as fc from 'fast-check';
import { known } from '../../../rules/fact.ts';
import type { ObjectStoreFacts, ObjectStoreObserved } from '../../../rules/objectStore/facts.ts';
import type { ObjectStoreStanding } from '../../../rules/objectStore/ready.ts';
import { perhaps } from '../../support/facts.ts';
import { course, gate, oftenBy, retry } from '../provision/facts.ts';

type Observed = ObjectStoreObserved;

const often = oftenBy(30);

const working = { is: 'working', region: 'eu-west-1', secret: 'files-bucket-keys' } as const;

const around: fc.Arbitrary<Observed> = fc.record({
  mode: fc.constantFrom('Bucket', 'Bucket', 'Server'),
  unsupported: often('', 'a bucket needs serverRef or connectionRef'),
  movedFrom: often('', 'core-files-1'),
  environment: fc.constantFrom('production', 'pr-7'),
  project: often<Observed['project']>(
    { name: 'shop', is: 'fine' },
    { name: '', is: 'none' },
    { name: 'shop', is: 'absent' },
    { name: 'shop', is: 'notReady' },
    { name: 'shop', is: 'withoutEnvironment' },
  ),
  cloud: often<Observed['cloud']>(null, { name: 'aws', is: 'absent', why: 'cloud connection "aws" was not found' }),
  server: often<Observed['server']>(
    { name: '', is: 'none' },
    { name: 'store', is: 'fine' },
    { name: 'store', is: 'absent' },
    { name: 'store', is: 'notServer' },
    { name: 'store', is: 'notReady' },
  ),
  lackingTags: often<readonly string[]>([], ['gdpr'], ['gdpr', 'gpu']),
  bucket: fc.oneof(
    { weight: 12, arbitrary: fc.constant<Observed['bucket']>(working) },
    {
      weight: 4,
      arbitrary: fc.constantFrom<Observed['bucket'][]>(
        null,
        { is: 'waiting', why: 'the cloud does not know the new key yet' },
        { is: 'failing', error: 'AccessDenied' },
      ),
    },
  ),
  failure: often<Observed['failure']>(null, { why: 'the Secret "files-bucket" exists already' }),
  isCurrent: fc.constantFrom(true, true, true, false),
  runs: fc.constantFrom(true, true, true, false),
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

const text = fc.constantFrom('', 'files', '__proto__', '<b>', 'x'.repeat(10_000));

/** Facts that nobody should send. */
export const invalid: fc.Arbitrary<ObjectStoreFacts> = fc.record({
  ...plain,
  now: fc.constantFrom(0, -1, Number.NaN, Number.MAX_SAFE_INTEGER),
  deleted: fc.boolean(),
  around: perhaps(
    fc.tuple(around, text).map(([of, name]) => ({
      ...of,
      unsupported: of.isCurrent ? name : '',
      movedFrom: of.runs ? name : '',
      environment: name,
      project: { ...of.project, name },
      cloud: { name, is: 'foreign' as const, why: name },
      server: { ...of.server, name },
      lackingTags: [name],
      bucket: { is: 'failing' as const, error: name },
      failure: { why: name },
    })),
  ),
  usedBy: text.map((name) => [name]),
  remains: fc.boolean(),
});

/** An object store with the states of its machines, for the Ready condition. */
export const standing: fc.Arbitrary<ObjectStoreStanding> = fc
  .record({
    around,
    ...course(often),
    leaving: often<ObjectStoreStanding['leaving']>(null, 'deletion'),
    unremoved: fc.constantFrom('', 'the cloud does not answer'),
  })
  .map(({ around: of, ...rest }) => ({ ...of, ...rest }));
