import * as fc from 'fast-check';
import { known } from '../../../rules/fact.ts';
import type { AvailableCapacity } from '../../../rules/capacity.ts';
import type { ServiceFacts, ServiceObserved } from '../../../rules/service/facts.ts';
import type { ServiceStanding } from '../../../rules/service/ready.ts';
import { perhaps } from '../../support/facts.ts';
import { course, gate, oftenBy, retry } from '../provision/facts.ts';

const often = oftenBy(40);

const image = 'nginx:1.27';

const missingVariable = {
  what: 'shared variable "LOG_LEVEL"',
  on: { kind: 'Secret', name: 'shop-secrets', namespace: 'core-system' },
  key: null,
  variable: 'LOG_LEVEL',
};

const around: fc.Arbitrary<ServiceObserved> = fc.record({
  source: fc.oneof(
    { weight: 8, arbitrary: fc.constant('image' as const) },
    { weight: 8, arbitrary: fc.constant('git' as const) },
    { weight: 1, arbitrary: fc.constant('function' as const) },
  ),
  project: often<ServiceObserved['project']>(
    { name: 'shop', is: 'fine' },
    { name: 'shop', is: 'absent' },
    { name: 'shop', is: 'notReady' },
    { name: 'shop', is: 'notReadyElsewhere' },
    { name: 'shop', is: 'withoutEnvironment' },
  ),
  environment: fc.constantFrom('production', 'pr-7'),
  cluster: often({ name: 'main', ready: true }, { name: 'main', ready: false }),
  connection: fc.oneof(
    { weight: 8, arbitrary: fc.constant({ name: 'forge', is: 'found' as const }) },
    { weight: 4, arbitrary: fc.constant({ name: '', is: 'none' as const }) },
    { weight: 1, arbitrary: fc.constant({ name: 'forge', is: 'absent' as const }) },
  ),
  secret: fc.constantFrom(...Array.from({ length: 8 }, () => ({ name: 'token', found: true })), {
    name: 'token',
    found: false,
  }),
  registry: fc.constantFrom(...Array.from({ length: 8 }, () => 'registry.example/team'), ''),
  image: fc.constantFrom(...Array.from({ length: 8 }, () => image), ''),
  databases: often<ServiceObserved['databases']>(
    [],
    [{ kind: 'CoreDatabase', name: 'orders', is: 'ready' }],
    [{ kind: 'CoreDatabase', name: 'orders', is: 'absent' }],
    [
      { kind: 'CoreDatabase', name: 'cache', is: 'ready' },
      { kind: 'CoreDatabase', name: 'orders', is: 'notReady' },
    ],
    [
      { kind: 'CoreDatabase', name: 'cache', is: 'notReady' },
      { kind: 'CoreDatabase', name: 'orders', is: 'absent' },
    ],
  ),
  buckets: often<ServiceObserved['buckets']>(
    [],
    [{ kind: 'CoreObjectStore', name: 'files', is: 'ready' }],
    [
      { kind: 'CoreObjectStore', name: 'media', is: 'notReady' },
      { kind: 'CoreObjectStore', name: 'files', is: 'absent' },
    ],
    [
      { kind: 'CoreObjectStore', name: 'media', is: 'ready' },
      { kind: 'CoreObjectStore', name: 'files', is: 'notReady' },
    ],
  ),
  missing: often<ServiceObserved['missing']>(null, missingVariable),
  workload: fc.constantFrom(
    'absent' as const,
    'stale' as const,
    ...Array.from({ length: 4 }, () => 'current' as const),
  ),
  pods: fc.constantFrom('running', 'running', 'running', 'asleep', 'asleep', 'starting', 'failed', 'none'),
  attempting: fc.boolean(),
  attemptOfDeploy: fc.boolean(),
  currentBuild: fc.constantFrom('', 'web-1'),
  build: fc.constantFrom(null, null, 'Succeeded', 'Succeeded', 'Pending', 'Running', 'Failed', 'Cancelled'),
  room: fc.record({
    crowded: often<AvailableCapacity['crowded']>(null, { cpu: '250m', memory: '512Mi', free: '100m CPU' }),
    nodes: often<AvailableCapacity['nodes']>('fit', 'none', 'reserved', 'full'),
  }),
  region: fc.constantFrom('', 'eu'),
  tags: fc.constantFrom([], ['ssd'], ['ssd', 'gpu']),
  host: often<ServiceObserved['host']>(
    { name: '', leads: 'here' },
    { name: 'web.example.com', leads: 'here' },
    { name: 'web.example.com', leads: 'toAnother' },
    { name: 'core.example.com', leads: 'toTheDashboard' },
  ),
  isCodeTooLong: often(false, true),
  contested: fc.constantFrom([], [], ['Deployment web is changed by "other"']),
  failure: often<ServiceObserved['failure']>(
    null,
    { counts: 'permanent', why: 'access denied' },
    { counts: 'counted', why: 'a Service of that name is not ours' },
    { counts: 'waiting', why: 'the API does not answer' },
  ),
});

const plain = { now: fc.constant(1_700_000_000_000), gate, retry } as const;

/** Facts that are all known. */
export const facts: fc.Arbitrary<ServiceFacts> = fc.record({
  ...plain,
  deleted: fc.constantFrom(false, false, false, false, false, true),
  around: around.map(known),
  remains: fc.boolean().map(known),
});

const text = fc.constantFrom('', 'web', '__proto__', '<b>', 'x'.repeat(10_000));

/** Facts that nobody should send. */
export const invalid: fc.Arbitrary<ServiceFacts> = fc.record({
  ...plain,
  now: fc.constantFrom(0, -1, Number.NaN, Number.MAX_SAFE_INTEGER),
  deleted: fc.boolean(),
  around: perhaps(
    fc.tuple(around, text).map(([of, name]) => ({
      ...of,
      project: { ...of.project, name },
      environment: name,
      region: name,
      tags: [name],
      missing: { ...missingVariable, what: name },
      contested: [name, name],
      databases: [{ kind: 'CoreDatabase' as const, name, is: 'absent' as const }],
      buckets: [{ kind: 'CoreObjectStore' as const, name, is: 'absent' as const }],
      failure: { counts: of.attempting ? ('counted' as const) : ('permanent' as const), why: name },
    })),
  ),
  remains: perhaps(fc.boolean()),
});

/** A service with the states of its machines, for the Ready condition. */
export const standing: fc.Arbitrary<ServiceStanding> = fc
  .record({
    around,
    ...course(often),
    leaving: often<ServiceStanding['leaving']>(null, 'deletion'),
  })
  .map(({ around: of, ...rest }) => ({ ...of, ...rest }));
