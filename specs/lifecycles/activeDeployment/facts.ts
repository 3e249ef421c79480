import * as fc from 'fast-check';
import type { ActiveDeploymentFacts } from '../../../rules/activeDeployment/facts.ts';
import type { HealthSeen } from '../../../rules/activeDeployment/health.ts';

/** As many available replicas as wanted, one fewer, one more, none. */
const counts = fc
  .record({ wanted: fc.constantFrom(0, 1, 2, 1_000), off: fc.constantFrom(-1_000, -1, 0, 1) })
  .map(({ wanted, off }) => ({ wanted, available: Math.max(wanted + off, 0) }));

/** Known facts. */
export const facts: fc.Arbitrary<ActiveDeploymentFacts> = fc.record({
  now: fc.constantFrom(0, 1_000),
  deployed: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  workload: fc.option(counts, { freq: 5 }),
  asleep: fc.boolean(),
});

const odd = fc.constantFrom(Number.NaN, -1, Infinity, -Infinity, 0.5);

/** Invalid facts. */
export const invalid: fc.Arbitrary<ActiveDeploymentFacts> = fc.oneof(
  facts,
  fc.record({
    now: odd,
    deployed: fc.boolean(),
    workload: fc.record({ wanted: odd, available: odd }),
    asleep: fc.boolean(),
  }),
);

/** The facts of a Deployment's health. */
export const healthFacts: fc.Arbitrary<HealthSeen> = fc
  .tuple(counts, fc.boolean())
  .map(([seen, asleep]) => ({ ...seen, asleep }));
