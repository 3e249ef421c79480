import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { differences } from '../../../rules/owned/differences.ts';
import { owned, type OwnedObject } from '../../../runtime/owned/owned.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { times } from '../../support/share.ts';
import { suite } from '../../support/suite.ts';
import { claim, configMap, deployment, namespace, ownedHouse, secret } from './house.ts';

const spec = suite('owned objects under faults');
const runs = Number(process.env['CORE_RUNS'] ?? times(150, 60));
const seed = Number(process.env['CORE_SEED'] ?? 20_270_102);

/** What an owner wants, one set after the other. */
const wishes: readonly (readonly OwnedObject[])[] = [
  [namespace, deployment(), configMap({ a: '1' }), secret('hidden'), claim('1024Mi')],
  [namespace, deployment('i:2'), configMap({ a: '1', b: '2' }), secret('other'), claim('2Gi')],
  [namespace, deployment('i:2', { labels: { run: 'other' } }), configMap({ c: '3' })],
  [namespace],
];

type Step =
  | { readonly do: 'ensure' | 'none' | 'restart' | 'lag' | 'tell' }
  | { readonly do: 'want'; readonly wish: number }
  | { readonly do: 'lose'; readonly how: 'done' | 'not done' | 'conflict' }
  | { readonly do: 'later'; readonly ms: number }
  | { readonly do: Deeds };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'ensure' } as const) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('want' as const), wish: fc.nat(wishes.length - 1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('lose' as const),
      how: fc.constantFrom('done' as const, 'not done' as const, 'conflict' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('later' as const), ms: fc.constantFrom(1_000, 31_000, 600_000) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(['scale', 'scribble', 'delete', 'steal', 'unmanage', 'restart', 'lag', 'tell', 'none'] as const),
      ),
    }),
  },
);

type House = Awaited<ReturnType<typeof ownedHouse>>;

const liveValue = (house: House, { resource, object }: OwnedObject) => house.value(resource, object.metadata.name);

interface Deed {
  readonly of: readonly [Resource, string];
  readonly act: (house: House) => void | Promise<void>;
}
type Deeds = 'scale' | 'scribble' | 'delete' | 'steal' | 'unmanage';

const byOthers: Readonly<Record<Deeds, Deed>> = {
  scale: {
    of: [owned.deployments, 'web'],
    act: (house) => house.edit(owned.deployments, 'web', ['spec', 'replicas'], 7),
  },
  delete: { of: [owned.deployments, 'web'], act: (house) => house.memory.drop(owned.deployments, 'web', 'shop') },
  scribble: {
    of: [owned.configMaps, 'settings'],
    act: (house) => house.edit(owned.configMaps, 'settings', ['data', 'strange'], 'x'),
  },
  steal: {
    of: [owned.configMaps, 'settings'],
    act: (house) => house.edit(owned.configMaps, 'settings', ['data', 'a'], 'evil'),
  },
  unmanage: { of: [owned.configMaps, 'settings'], act: (house) => house.unmanaged(owned.configMaps, 'settings') },
};
const isByOthers = (name: string): name is Deeds => name in byOthers;

async function take(house: House, one: Step): Promise<void> {
  if (isByOthers(one.do)) {
    const { of, act } = byOthers[one.do];
    if (house.value(...of) !== undefined) await act(house);
    return;
  }
  if (one.do === 'want') return house.want(wishes[one.wish] ?? []);
  if (one.do === 'lose') return house.losing('apply', one.how);
  if (one.do === 'later') return house.later(one.ms);
  await mine[one.do](house);
}

const mine = {
  ensure: (house: House) => house.ensure(),
  none: (house: House) => house.none(),
  restart: (house: House) => house.restart(),
  lag: (house: House) => house.lag(true),
  tell: (house: House) => house.lag(false),
} as const;

/** Runs as an operator would until nothing is left to do; returns the number of rounds. */
async function rest(house: House): Promise<number> {
  for (let looks = 1; looks < 40; looks++) {
    const { ensured, afterMs, calls } = await house.ensure();
    if (ensured === 'holds' && calls.length === 0) return looks;
    if (afterMs !== undefined) await house.later(afterMs);
  }
  throw new Error(`never at rest: ${JSON.stringify(house.diff())}`);
}

spec(`all objects converge whatever call, event or object is lost (seed ${seed})`, async () => {
  let longest = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25, size: 'max' }), async (steps) => {
      let wanted = wishes[0] ?? [];
      const house = await ownedHouse(wanted);
      for (const one of steps) {
        if (one.do === 'want') wanted = wishes[one.wish] ?? [];
        await take(house, one);
      }
      house.losing('apply', null);
      house.lag(false);
      await house.time.settle();
      longest = Math.max(longest, await rest(house));
      assert.ok(house.isInSync());
      for (const one of wanted) {
        // A claim that has grown keeps its size.
        const left = one.resource === owned.claims ? [] : differences(one.object, liveValue(house, one));
        assert.equal(left, [], JSON.stringify(liveValue(house, one)));
      }
      const data = wanted.find(({ resource }) => resource === owned.configMaps)?.object as { readonly data?: object };
      if (data) assert.equal(house.value(owned.configMaps, 'settings', 'data'), data.data);
      const names = wanted.map(({ object }) => object.metadata.name).toSorted();
      assert.equal((await house.remaining()).map((called) => called.split(/[ /]/).at(-1) ?? '').toSorted(), names);
      house.restart();
      const before = house.writes.length;
      await rest(house);
      assert.is(house.writes.length, before, 'a new process found something to write');
      await house.end();
    }),
    { numRuns: runs, seed, includeErrorInReport: true },
  );
  assert.ok(longest > 2, 'nothing ever went wrong');
});

spec.run();
