import * as fc from 'fast-check';
import type { DeploymentRecordFacts, RecordSeen } from '../../../rules/deploymentRecord/facts.ts';
import type { RecordedSource } from '../../../rules/deploymentRecord/recordedSource.ts';
import type { RollbackAsked } from '../../../rules/deploymentRecord/rollback.ts';
import type { PhaseStored } from '../../../rules/deploymentRecord/shownPhase.ts';

const own: RecordSeen = { name: 'shop-mmmmm', appLabel: 'shop', at: 1_000 };

/** Newer, older and simultaneous records of the service, around the limit of twelve. */
const records = fc
  .record({
    newer: fc.constantFrom(0, 1, 10, 11, 12, 13),
    sameAfter: fc.constantFrom(0, 1),
    sameBefore: fc.constantFrom(0, 1),
    older: fc.constantFrom(0, 1, 12),
    active: fc.boolean(),
    foreign: fc.constantFrom(0, 1, 12),
    ownThere: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
    turned: fc.boolean(),
  })
  .map(({ newer, sameAfter, sameBefore, older, active, foreign, ownThere, turned }): readonly RecordSeen[] => {
    const many = (count: number, name: string, at: number, appLabel = 'shop') =>
      Array.from({ length: count }, (_, index) => ({ name: `shop-${name}${index}`, appLabel, at: at + index }));
    const all = [
      ...many(older, 'oooo', 100),
      ...many(sameBefore, 'aaaa', own.at),
      ...(ownThere ? [own] : []),
      ...many(sameAfter, 'zzzz', own.at),
      ...many(newer, 'nnnn', own.at + 1),
      ...(active ? [{ name: 'shop-active', appLabel: '', at: own.at + 500 }] : []),
      ...many(foreign, 'ffff', own.at + 1, 'shop-two'),
    ];
    return turned ? all.toReversed() : all;
  });

/** Known facts. */
export const facts: fc.Arbitrary<DeploymentRecordFacts> = fc.record({
  app: fc.constant('shop'),
  appDeleted: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  done: fc.constantFrom('deploy', 'rollback', 'clearDomain', null),
  name: fc.constant(own.name),
  added: fc.boolean(),
  records,
});

const oddText = fc.constantFrom('', 'SHOP', 'constructor', '__proto__', 'x'.repeat(10_000));
const oddNumber = fc.constantFrom(Number.NaN, Infinity, -1, 0);

/** Invalid facts. */
export const hostile: fc.Arbitrary<DeploymentRecordFacts> = fc
  .tuple(
    facts,
    fc.record(
      {
        app: oddText,
        done: oddText,
        name: oddText,
        records: fc.array(fc.record({ name: oddText, appLabel: oddText, at: oddNumber })),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([sound, other]) => ({ ...sound, ...other }) as DeploymentRecordFacts);

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
