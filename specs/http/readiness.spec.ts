import { Context, Effect, Scope } from 'effect';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { kinds } from '../../crds/kinds.ts';
import { group } from '../../crds/names.ts';
import { lateAfterMs, readinessOf } from '../../http/program/readiness.ts';
import { makeCaches } from '../../runtime/cache/caches.ts';
import { everything } from '../../runtime/controllers/all.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { Cluster } from '../../runtime/services/cluster/cluster.ts';
import { suite } from '../support/suite.ts';
import { virtualTime } from '../support/virtualTime.ts';
import { quietApi } from './quietApi.ts';

const spec = suite('readiness of an idle process');

const { controllers, alsoSeen } = everything({
  builder: { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' },
});
const resources = [
  ...controllers.flatMap(({ resource, watches }) => [resource, ...watches.map((one) => one.resource)]),
  ...alsoSeen,
  secrets,
];
const own = kinds.map(({ plural }) => `${plural}.${group}`);
const addons = [...new Set(resources.map((one) => `${one.plural}.${one.group}`))].filter(
  (name) => /\.[a-z]+\./.test(name) && !name.endsWith('.k8s.io') && !own.includes(name),
);

/** Caches of everything that the product caches, and what they say of themselves, as time is moved on. */
async function watching(defined: readonly string[]) {
  const time = virtualTime(undefined, undefined, 20_000);
  const api = quietApi(defined);
  const context = time.over(Context.make(Cluster, api.cluster).pipe(Context.add(Scope.Scope, Scope.makeUnsafe())));
  const run = <A>(effect: Effect.Effect<A, never, Cluster | Scope.Scope>) =>
    time.wait(Effect.runPromise(Effect.provideContext(effect, context)));
  const caches = await run(makeCaches(resources, {}));
  const steps = async (seconds: number, each: () => void | Promise<void>) => {
    for (let second = 0; second < seconds; second += 1) {
      await time.moveTo(time.now() + 1_000);
      await each();
    }
  };
  await steps(1, () => {});
  const asked = (of = caches) =>
    Effect.runSync(Effect.provideContext(readinessOf({ caches: of, isListed: true }), context));
  return { api, caches, steps, asked };
}

const minute = 60;

spec('a process without a bookmark and add-ons is current for twenty minutes', async () => {
  assert.ok(addons.length > 5, addons.join());
  const { steps, asked } = await watching(own);
  await steps(20 * minute, () => assert.equal(asked(), { ok: true }));
});

spec('a process stays ready when any definition is removed and restored', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...own, ...addons),
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 1, max: 600 }),
      async (name, removedAfter, unavailableFor) => {
        const { api, steps, asked } = await watching([...own, ...addons]);
        const isReady = () => assert.equal(asked(), { ok: true });
        await steps(removedAfter, isReady);
        api.define(name, false);
        await steps(unavailableFor, isReady);
        api.define(name, true);
        await steps(20 * minute - removedAfter - unavailableFor, isReady);
      },
    ),
    { numRuns: 4 },
  ),
);

spec('a silent API is reported within 150 s and its return within 10 s', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 600 }),
      fc.integer({ min: 1, max: 400 }),
      fc.subarray(addons),
      async (silentAfter, silentFor, installed) => {
        const { api, steps, asked } = await watching([...own, ...installed]);
        await steps(silentAfter, () => assert.ok(asked().ok));
        api.silent(true);
        await steps(silentFor, () => {});
        const told = asked();
        if (silentFor >= lateAfterMs / 1_000) assert.match(told.ok ? 'ready' : told.why, /^nothing was heard of Core/);
        api.silent(false);
        await steps(10, () => {});
        assert.ok(asked().ok, JSON.stringify(asked()));
        await steps(3 * minute, () => assert.ok(asked().ok));
      },
    ),
    { numRuns: 6 },
  ),
);

spec('an optional kind is reported as late once and does not affect readiness', async () => {
  const { caches, asked } = await watching(own);
  const aged = (kinds: readonly string[]) => ({
    ...caches,
    all: caches.all.map((cache) => ({
      ...cache,
      age: Effect.succeed(kinds.includes(cache.resource.kind) ? lateAfterMs : 0),
    })),
  });
  assert.ok(caches.all.filter(({ resource }) => resource.kind === 'Event').length > 1);
  assert.equal(asked(aged(['Event', 'Ingress'])), { ok: true, late: ['Event', 'Ingress'] });
  for (const kind of ['Secret', ...kinds.map((one) => one.kind)])
    assert.equal(asked(aged(['Event', kind])), { ok: false, why: `nothing was heard of ${kind}` });
});

spec.run();
