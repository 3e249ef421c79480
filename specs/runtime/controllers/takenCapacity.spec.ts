import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type PlacedPod, takenBy } from '../../../rules/usedCapacity.ts';
import { type CoreApp, coreApp } from '../../../crds/coreApp.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { serviceOutcome } from '../../../rules/service/ready.ts';
import { gateOf } from '../../../rules/service/deployed.ts';
import { serviceResources } from '../../../runtime/controllers/app/owned.ts';
import { observeService } from '../../../runtime/controllers/app/observe.ts';
import { nothingCached } from '../../support/nothingCached.ts';
import { draft } from '../../support/service.ts';
import { enterChange, forgetAllBut, makeIndexer, type Indexer } from '../../../runtime/cache/indexer.ts';
import { keyOf } from '../../../runtime/cache/key.ts';
import { takenCapacity, unmanagedPods, workloadPods } from '../../../runtime/controllers/capacity.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('capacity taken by pods');

interface Event {
  readonly is: 'watched' | 'deleted' | 'listed';
  readonly of: 'workload' | 'unmanaged';
  readonly pod: number;
  readonly uid: number;
  /** Late where it is less than what is known already, doubled where it is the same. */
  readonly version: number;
  readonly node: string;
  readonly phase: string;
  readonly cpu: string;
  readonly initMemory: string;
}

const event: fc.Arbitrary<Event> = fc.record({
  is: fc.constantFrom('watched', 'watched', 'watched', 'deleted', 'listed'),
  of: fc.constantFrom('workload', 'unmanaged'),
  pod: fc.integer({ min: 0, max: 3 }),
  uid: fc.constantFrom(1, 1, 1, 2),
  version: fc.integer({ min: 1, max: 30 }),
  node: fc.constantFrom('', 'a', 'b'),
  phase: fc.constantFrom('Pending', 'Running', 'Running', 'Succeeded', 'Failed'),
  cpu: fc.constantFrom('100m', '2', '0', 'nonsense'),
  initMemory: fc.constantFrom('64Mi', '1Gi'),
});

const podOf = ({ of, pod, uid, version, node, phase, cpu, initMemory }: Event): PlacedPod => ({
  metadata: { name: `${of}-${pod}`, namespace: 'shop', uid: `${of}-${pod}-${uid}`, resourceVersion: String(version) },
  spec: {
    ...(node === '' ? {} : { nodeName: node }),
    containers: [{ resources: { requests: { cpu, memory: '128Mi' } } }],
    initContainers: [{ resources: { requests: { memory: initMemory } } }],
  },
  status: { phase },
});

function enter(indexer: Indexer<PlacedPod>, given: Event): void {
  const object = podOf(given);
  const resourceVersion = String(given.version);
  if (given.is !== 'listed')
    return enterChange(indexer, { type: given.is === 'watched' ? 'modified' : 'deleted', object }, '0');
  indexer.put(object, 'reported');
  return forgetAllBut(indexer, new Set([keyOf(object)]), resourceVersion);
}

const bySize = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => one.localeCompare(other);

spec('the capacity taken on each node equals that of its pods after lost, repeated and late events', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.nat(20), (events, begins) => {
      const indexers = { workload: makeIndexer<PlacedPod>([]), unmanaged: makeIndexer<PlacedPod>([]) };
      const byResource = new Map<Resource, Indexer<PlacedPod>>([
        [workloadPods, indexers.workload],
        [unmanagedPods, indexers.unmanaged],
      ]);
      const begin = () => takenCapacity({ of: (resource) => byResource.get(resource) as never });
      let read: ReturnType<typeof begin> | undefined;
      for (const [at, one] of events.entries()) {
        if (at === begins) read = begin();
        enter(indexers[one.of], one);
        if (!read) continue;
        const scratch = takenBy([...indexers.workload.list(), ...indexers.unmanaged.list()]);
        assert.equal([...read()].toSorted(bySize), [...scratch].toSorted(bySize));
        assert.is(read(), read(), 'the same until it changes');
      }
    }),
    { numRuns: 1_000 },
  );
});

spec('capacity is not computed for a reader of a draft', () => {
  const app: CoreApp = {
    ...typeMeta(coreApp),
    metadata: { name: 'web', namespace: 'core-system', uid: 'web-1', annotations: draft },
    spec: { project: 'shop', environment: 'production', source: { image: 'web:1' }, deploy: { enabled: false } },
  };
  const asked = (): never => {
    throw new Error('the room was asked for');
  };
  const reader = { ...nothingCached, tally: asked };
  const seen = observeService(app, {
    reader,
    ownedResources: serviceResources(),
    gate: gateOf(app),
    failure: null,
    now: 0,
  });
  assert.is(seen.gate, 'Draft');
  assert.equal(serviceOutcome(seen), serviceOutcome({ ...seen, room: { nodes: 'fit', crowded: null } }));
  assert.throws(() => seen.room.nodes, /was asked for/);
});

spec('the taken capacity of two processes is separate', () => {
  const [one, other] = [makeIndexer<PlacedPod>([]), makeIndexer<PlacedPod>([])];
  const [ofOne, ofOther] = [one, other].map((indexer) => takenCapacity({ of: () => indexer as never }));
  one.put(
    podOf({
      is: 'watched',
      of: 'workload',
      pod: 1,
      uid: 1,
      version: 1,
      node: 'a',
      phase: 'Running',
      cpu: '2',
      initMemory: '64Mi',
    }),
    'reported',
  );
  assert.equal([ofOne?.().size, ofOther?.().size], [1, 0]);
});

spec.run();
