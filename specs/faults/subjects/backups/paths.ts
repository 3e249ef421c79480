import { Effect } from 'effect';
import { annotation } from '../../../../crds/names.ts';
import { purposeLabel } from '../../../../rules/backup/jobs.ts';
import { backupJobs } from '../../../../runtime/controllers/backup/resources.ts';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { isRetired } from '../../../../runtime/controllers/backup/archivesOf.ts';
import { cloudConnections } from '../../../../runtime/kinds.ts';
import { CloudFailed } from '../../../../runtime/services/cloud.ts';
import { archivesIn, jobIn, putConnection, putStorage } from '../../../support/backups.ts';
import { databaseIn, putDatabase, putSurroundings } from '../../../support/database.ts';
import type { World } from '../../../support/world.ts';
import { dropDatabase, nodes, specIs } from '../database/paths.ts';
import { engineActors } from '../database/engines.ts';
import { ofKind } from '../../plan/trouble.ts';
import type { Act, Path } from '../subject.ts';
import { putArchive, weekMs } from './archive.ts';
import { type Comes, completes, failsOnce, jobRunner, postgresBackup } from './actors.ts';

/** What a database says of its backups; once it is gone, whether archives of it are left. */
export function backupStateIn(world: World): string {
  const database = databaseIn(world);
  if (database) return database.status?.backup?.state ?? database.status?.phase ?? '';
  return archivesIn(world).length > 0 ? 'Kept' : '';
}

type Engine = 'SQLite' | 'MySQL' | 'Postgres';

export const refuses = (world: World): void => {
  world.cloud.failing = new CloudFailed({ code: 'AccessDenied', status: 403, why: 'AccessDenied' });
};
export const heals = (world: World): void => {
  world.cloud.failing = null;
};
const linked = (world: World) => {
  putConnection(world);
  putStorage(world);
};

const given =
  (engine: Engine, prepare: (world: World) => void = linked, spec: Partial<DatabaseSpec> = {}): Path['given'] =>
  (world) => {
    putSurroundings(world);
    prepare(world);
    putDatabase(world, {
      engine,
      deploy: { enabled: true },
      backup: { enabled: true, retentionDays: 7 },
      ...spec,
    });
  };

const once = (state: string, text: string, hand: (world: World) => void): Act => ({
  text,
  when: (world) => backupStateIn(world) === state,
  hand,
});
const deletes = once('Protected', 'it is deleted', dropDatabase);
const backups = (enabled: boolean) => specIs({ backup: { enabled, retentionDays: 7 } });
const turnsOff = once('Protected', 'backups are turned off', backups(false));
/** The last backup is under way. */
const inFinal = (text: string, hand: (world: World) => void): Act => ({
  text,
  when: (world) => jobIn(world, 'orders-final') !== undefined,
  hand,
});

/** What a former database of the name left: a finished last dump, which its own uid marks. */
const putOldFinal = ({ cluster }: World) =>
  void cluster.put(backupJobs, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'orders-final',
      namespace: 'shop-production',
      labels: { [purposeLabel]: 'final' },
      annotations: { [annotation.ownerUid]: 'uid-of-another' },
    },
    spec: {},
    status: { conditions: [{ type: 'Complete', status: 'True' }] },
  });

/** The archive of a former database, which has the folder that a name alone would give. */
const putOldArchive = (world: World) =>
  putArchive(world, weekMs, { databaseUID: 'uid-of-another', serverName: 'orders' }, 'orders');

interface Told {
  readonly name: string;
  readonly end: string;
  readonly engine?: Engine;
  readonly given?: Path['given'];
  readonly script?: readonly Act[];
  readonly comes?: () => Comes;
}

const told: readonly Told[] = [
  { name: 'SQLite is protected', end: 'Protected' },
  { name: 'the first dump fails', end: 'Protected', comes: () => failsOnce('first') },
  {
    name: 'the storage is chosen late',
    end: 'Protected',
    given: given('SQLite', (world) => putConnection(world)),
    script: [once('NeedsStorage', 'a bucket is chosen', (world) => putStorage(world))],
  },
  {
    name: 'the cloud refuses, then allows it',
    end: 'Protected',
    given: given('SQLite', (world) => (linked(world), refuses(world))),
    script: [once('NeedsStorage', 'the cloud allows it', heals)],
  },
  { name: 'backups are turned off', end: 'Ready', script: [turnsOff] },
  {
    name: 'backups are turned off and on',
    end: 'Protected',
    script: [
      turnsOff,
      {
        text: 'backups are turned on',
        when: (world) => backupStateIn(world) === 'Ready' && archivesIn(world).every(isRetired),
        hand: backups(true),
      },
    ],
  },
  { name: 'SQLite is deleted', end: 'Kept', script: [deletes] },
  { name: 'the last dump fails once', end: 'Kept', script: [deletes], comes: () => failsOnce('final') },
  {
    name: 'the connection goes during the last dump',
    end: 'Kept',
    script: [
      deletes,
      inFinal('the connection is deleted', ({ cluster }) => {
        Effect.runSync(cluster.remove(cloudConnections, { name: 'aws' }));
      }),
    ],
  },
  {
    name: 'the cloud refuses the last dump',
    end: 'Kept',
    script: [deletes, inFinal('the cloud refuses', refuses)],
  },
  {
    name: 'a last dump of an earlier database stands',
    end: 'Kept',
    given: given('SQLite', (world) => (linked(world), putOldFinal(world))),
    script: [deletes],
  },
  {
    name: 'an archive of an earlier database stands',
    end: 'Protected',
    given: given('SQLite', (world) => (linked(world), putOldArchive(world))),
  },
  { name: 'MySQL is protected', end: 'Protected', engine: 'MySQL' },
  { name: 'MySQL is deleted', end: 'Kept', engine: 'MySQL', script: [deletes] },
  { name: 'Postgres is deleted', end: 'Kept', engine: 'Postgres', script: [deletes] },
  { name: 'backups of Postgres are turned off', end: 'Ready', engine: 'Postgres', script: [turnsOff] },
];

/** Generated keys and passwords, the times of attempts, and how often something was tried. */
const drawn =
  /^Secret \S+\.(data\.|metadata\.annotations\.)|core\.platform\/(applied|move)|provisionAttempts|reconcileFailures|lastFailureAt|restorePoints\.\d+\.id: /;

/** The paths of a database's backups. */
export const backupPaths: readonly Path[] = told.map(({ engine = 'SQLite', comes = () => completes, ...one }) => ({
  name: one.name,
  given: one.given ?? given(engine),
  script: one.script ?? [],
  actors: (world) => [
    ...(engine === 'SQLite' ? nodes('runs')(world) : engineActors(engine)(world)),
    ...jobRunner(world, comes()),
    ...(engine === 'Postgres' ? postgresBackup(world) : []),
  ],
  ends: [one.end],
  mayDiffer: (difference, troubles) =>
    drawn.test(difference) ||
    // A leader that stood still writes what it had decided, which is written over again.
    (ofKind(troubles, 'stands').length > 0 && /^CronJob \S+\.metadata\.generation: /.test(difference)),
}));
