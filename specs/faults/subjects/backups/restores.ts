import { isoTime } from '../../../../rules/time.ts';
import { dumpKey, pointId } from '../../../../rules/backup/points.ts';
import type { BackupArchiveSpec } from '../../../../crds/coreBackupArchive.ts';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { archivesIn, bucket } from '../../../support/backups.ts';
import { databaseIn, databaseName } from '../../../support/database.ts';
import { rootKey } from '../../../support/memory/cloud.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { specIs } from '../database/paths.ts';
import type { Act, Path } from '../subject.ts';
import { failsOnce } from './actors.ts';
import { minuteMs, putArchive, weekMs } from './archive.ts';
import { type Engine, given, linked, once, type BackupPath } from './acts.ts';

const origin = 'old-uid-0';
const hourMs = 60 * minuteMs;

/** Two points of the bucket that the original left, two hours and one hour ago, and its change log. */
function putPoints(environment: TestEnvironment, engine: Engine): void {
  const { model } = environment.cloud;
  const points = [2 * hourMs, hourMs].map((ago) => environment.now() - ago);
  model.makeBucket(model.keyOf(rootKey.accessKeyId), bucket, 'eu-west-1');
  for (const at of points)
    if (engine === 'Postgres') {
      const info = `status=DONE\nend_time=${isoTime(at).replace('T', ' ').replace('Z', '+00:00')}\n`;
      environment.cloud.put(bucket, `shop/${origin}/base/${pointId(at)}/backup.info`, info);
    } else environment.cloud.put(bucket, `shop/${origin}/${dumpKey(pointId(at))}`, 'rows');
  if (engine === 'Postgres')
    environment.cloud.put(bucket, `shop/${origin}/wals/0000000100000000/000000010000000000000003.gz`, 'x');
}

const sources: Readonly<Record<Engine, NonNullable<BackupArchiveSpec['source']>>> = {
  SQLite: { engine: 'SQLite', storageSize: '1Gi' },
  MySQL: { engine: 'MySQL', storageSize: '1Gi', databaseName },
  Postgres: { engine: 'Postgres', version: '16', databaseName, storageSize: '1Gi' },
};

/** A database that begins from the backups of one that is gone. */
const restored =
  (
    engine: Engine,
    chosen: (environment: TestEnvironment) => Partial<NonNullable<DatabaseSpec['restoreFrom']>>,
    afterMs: number | null = weekMs,
  ): Path['given'] =>
  (environment) => {
    const prepare = () => {
      linked(environment);
      putPoints(environment, engine);
      const of = { database: 'old', databaseUID: 'uid-of-another', serverName: origin, source: sources[engine] };
      putArchive(environment, afterMs, of, origin);
    };
    given(engine, prepare, { restoreFrom: { archive: origin, ...chosen(environment) } })(environment);
  };

const phaseIn = (environment: TestEnvironment): string => databaseIn(environment)?.status?.phase ?? '';
const newest = () => ({});
const oldest = (environment: TestEnvironment) => ({ restorePoint: pointId(environment.now() - 2 * hourMs) });
const between = (environment: TestEnvironment) => ({ time: isoTime(environment.now() - 1.5 * hourMs) });

/** Asks for Retry once it was given up, as often as that takes. */
const retried: Act = {
  text: 'Retry',
  when: (environment) => phaseIn(environment) === 'ProvisionFailed',
  command: { kind: 'CoreDatabase', machine: 'provisionRetry', name: databaseName, asked: 'retry' },
  until: (environment) => phaseIn(environment) === 'Ready',
};

const retires: Act = {
  text: 'its original is gone',
  when: (environment) =>
    archivesIn(environment).some(
      ({ metadata, spec }) => metadata.name === origin && typeof spec.deleteAfter === 'string',
    ),
};

/** Databases that begin from the backups of another, by engine and choice. */
export const restores: readonly BackupPath[] = [
  { name: 'SQLite is restored to its newest point', end: 'Protected', given: restored('SQLite', newest) },
  { name: 'SQLite is restored to an older point', end: 'Protected', given: restored('SQLite', oldest) },
  { name: 'MySQL is restored', end: 'Protected', engine: 'MySQL', given: restored('MySQL', newest) },
  {
    name: 'Postgres is restored to a point',
    end: 'Protected',
    engine: 'Postgres',
    given: restored('Postgres', oldest),
  },
  {
    name: 'Postgres is restored to a moment',
    end: 'Protected',
    engine: 'Postgres',
    given: restored('Postgres', between),
  },
  {
    name: 'Postgres is restored and then changed',
    end: 'Protected',
    engine: 'Postgres',
    given: restored('Postgres', newest),
    script: [once('Protected', 'backups are kept longer', specIs({ backup: { enabled: true, retentionDays: 9 } }))],
  },
  {
    name: 'a restore fails and is tried again',
    end: 'Protected',
    given: restored('SQLite', newest),
    script: [retried],
    comes: () => failsOnce('restore'),
  },
  {
    name: 'a recovery of Postgres fails and is tried again',
    end: 'Protected',
    engine: 'Postgres',
    given: restored('Postgres', newest),
    script: [retried],
    comes: () => failsOnce('recovery'),
  },
  {
    name: 'the archive is retired while a database is restored from it',
    end: 'Protected',
    given: restored('SQLite', newest, null),
    script: [retires],
  },
];
