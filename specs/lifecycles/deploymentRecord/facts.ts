import * as fc from 'fast-check';
import type { DeploymentRecordFacts } from '../../../rules/deploymentRecord/facts.ts';
import type { RecordedSource } from '../../../rules/deploymentRecord/recordedSource.ts';
import type { RollbackAsked } from '../../../rules/deploymentRecord/rollback.ts';
import type { PhaseStored } from '../../../rules/deploymentRecord/shownPhase.ts';

/** Facts that are all known. */
export const facts: fc.Arbitrary<DeploymentRecordFacts> = fc.record({
  now: fc.constantFrom(0, 1_000),
  app: fc.constant('shop'),
  deployedAt: fc.constantFrom(null, 0, 1_000),
  newer: fc.constantFrom(0, 1, 11, 12, 13),
});

const oddText = fc.constantFrom('', 'SHOP', 'constructor', '__proto__', 'x'.repeat(10_000));
const oddNumber = fc.constantFrom(Number.NaN, Infinity, -1, 0);

/** Invalid facts. */
export const invalid: fc.Arbitrary<DeploymentRecordFacts> = fc
  .tuple(
    facts,
    fc.record({ app: oddText, now: oddNumber, deployedAt: oddNumber, newer: oddNumber }, { requiredKeys: [] }),
  )
  .map(([sound, other]) => ({ ...sound, ...other }));

const source = fc.constantFrom('image', 'git', 'function');

/** The facts of a record's texts. */
export const sourceFacts: fc.Arbitrary<RecordedSource> = fc.record({
  source,
  image: fc.constantFrom('nginx:1.27', 'registry.example/shop@sha256:0a'),
  repository: fc.constant('acme/shop'),
  branch: fc.constantFrom('main', 'release/2'),
  built: fc.constantFrom('', 'registry.example/shop@sha256:0b'),
  runtime: fc.constantFrom('bun', 'node', 'python'),
});

/** The stored phases. */
export const phaseFacts: fc.Arbitrary<PhaseStored> = fc.record({
  phase: fc.constantFrom('', 'Recorded', 'RollingOut', 'Available', 'skipped', 'Skipped'),
});

/** The possible rollback requests. */
export const rollbackFacts: fc.Arbitrary<RollbackAsked> = fc.record({
  app: fc.constant('shop'),
  source,
  revision: fc.constantFrom('', 'shop-active', 'shop-mmmmm', 'shop-two-mmmmm'),
  appLabel: fc.constantFrom(null, '', 'shop', 'shop-two'),
});
