import * as fc from 'fast-check';
import type { BackupSeen, DatabaseBackupFacts, StorageSeen } from '../../../rules/databaseBackup/facts.ts';
import { known } from '../../../rules/fact.ts';
import { perhaps } from '../../support/facts.ts';

const engine = fc.constantFrom('Postgres', 'MySQL', 'SQLite', 'Redis') satisfies fc.Arbitrary<BackupSeen['engine']>;
const mostly = fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });
const rarely = mostly.map((often) => !often);

const place = {
  project: fc.oneof({ weight: 4, arbitrary: fc.constant('shop') }, { weight: 1, arbitrary: fc.constant('') }),
  projectStorage: mostly,
  archive: fc.boolean(),
};

const works: StorageSeen = { is: 'working' };
const storage = fc.oneof(
  { weight: 4, arbitrary: fc.constant(works) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<StorageSeen>(
      { is: 'failing', error: 'AccessDenied: no such key' },
      { is: 'failing', error: '' },
      { is: 'unplanned', why: 'the connection has no region' },
    ),
  },
);
const backups = fc.record({ finished: mostly, changesSaved: mostly, latestFailed: rarely });

/** Databases with and without backups, with every cause. */
export const facts: fc.Arbitrary<DatabaseBackupFacts> = fc.record({
  now: fc.constant(0),
  ...place,
  enabled: mostly,
  engine,
  placement: fc.constantFrom('InCluster', 'InCluster', 'External'),
  storage: storage.map(known),
  backups: backups.map(known),
});

/** The facts of the messages. */
export const seen: fc.Arbitrary<BackupSeen> = fc.record({ ...place, engine, storage, backups });

const invalidText = fc.constantFrom('', 'postgres', 'POSTGRES', '__proto__', 'x'.repeat(10_000));

/** Invalid facts. */
export const invalid: fc.Arbitrary<DatabaseBackupFacts> = fc.record({
  now: fc.constantFrom(0, Number.NaN),
  ...place,
  project: invalidText,
  enabled: fc.boolean(),
  engine: invalidText as unknown as typeof engine,
  placement: fc.constantFrom('InCluster', 'External', 'nowhere' as 'External'),
  storage: perhaps(fc.oneof(storage, fc.constant({ is: 'broken' } as unknown as StorageSeen))),
  backups: perhaps(backups),
});
