import { Effect } from 'effect';
import { coreDatabase } from '../../../crds/coreDatabase.ts';
import { withDefaults } from '../../../crds/defaults.ts';
import { type KubeObject, typeMeta } from '../../../crds/kind.ts';
import { conditionOf } from '../../../rules/condition.ts';
import { isoTime, msOf } from '../../../rules/time.ts';
import { backupArchiveController } from '../../../runtime/controllers/backupArchive/controller.ts';
import { bucketListings } from '../../../runtime/controllers/backupArchive/ask/bucketListings.ts';
import { backupStorages } from '../../../runtime/controllers/cloudAccess/storage.ts';
import { backupArchives, cloudConnections, databases, everyKind } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { archivesIn, bucket, putConnection, putStorage } from '../../support/backups.ts';
import { databaseIn, putDatabase, putDatabaseEnvironment } from '../../support/database.ts';
import { rootKey } from '../../support/memory/cloud.ts';
import { inSystem } from '../../support/project.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { folder, minuteMs, putArchive, retired, weekMs } from './backups/archive.ts';
import { deletesAgain, keepsAll } from './backups/keeping.ts';
import { shownKeys } from './backups/oracle.ts';
import { heals, refuses } from './backups/acts.ts';
import { dropDatabase } from './database/paths.ts';
import type { Act, Actor, FaultSubject, Oracle, Path } from './subject.ts';

/** Longer than a clock is set back. */
const dueMs = 4 * 60 * minuteMs;
const prefix = `shop/${folder}/`;
/** What other archives and other people have in the bucket. */
const neighbours = [
  'shop/orders-uid-0-2/dumps/a',
  'shop/orders-uid-01/a',
  'shop/orders-uid-0',
  'shop-2/orders-uid-0/a',
  'a',
];

const archiveIn = (environment: TestEnvironment) =>
  archivesIn(environment).find(({ metadata }) => metadata.name === folder);
const purgedIn = (environment: TestEnvironment): string => conditionOf(archiveIn(environment), 'Purged')?.reason ?? '';
const isDue = (environment: TestEnvironment): boolean => {
  const at = archiveIn(environment)?.spec.deleteAfter;
  return typeof at === 'string' && msOf(at) <= environment.now();
};

/** Protected, Retired, or why a purge that is due is not done. */
function stateIn(environment: TestEnvironment): string {
  const archive = archiveIn(environment);
  if (!archive) return '';
  if (purgedIn(environment) !== '') return purgedIn(environment);
  return (archive.spec.deleteAfter ?? '') === '' ? 'Protected' : 'Retired';
}

/** Objects with an old version, a mark of deletion and an unfinished upload, beside what is of others. */
function fill({ cloud }: TestEnvironment): void {
  const { model } = cloud;
  const root = model.keyOf(rootKey.accessKeyId);
  model.makeBucket(root, bucket, 'eu-west-1');
  model.setVersioning(root, bucket, true);
  for (const key of neighbours) cloud.put(bucket, key, 'of others');
  for (const name of ['dumps/a', 'dumps/a', 'dumps/b', 'odd \u0001']) cloud.put(bucket, `${prefix}${name}`, 'rows');
  model.remove(root, { bucket, key: `${prefix}dumps/b` }, null);
  model.startUpload(root, { bucket, key: `${prefix}dumps/c` }, {});
}

const given =
  (afterMs: number | null, prepare: (environment: TestEnvironment) => void = () => {}): Path['given'] =>
  (environment) => {
    putDatabaseEnvironment(environment);
    putConnection(environment);
    putStorage(environment);
    fill(environment);
    putArchive(environment, afterMs);
    prepare(environment);
  };
const once = (state: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) => stateIn(environment) === state && (state !== 'Retired' || isDue(environment)),
  edit,
});

const goes: Act = { text: 'it is gone', when: (environment) => !archiveIn(environment), edit: () => {} };

/** The purge is tried again after a quarter of an hour, which is longer than a quiet path is watched. */
const patience = (environment: TestEnvironment): Actor => {
  let due: number | null = null;
  let left = 4;
  const awaited = () => left > 0 && isDue(environment);
  return {
    act: (now) => {
      if (!awaited()) return (void (due = null), null);
      due ??= now + 14 * minuteMs;
      if (now < due) return null;
      due = null;
      left--;
      return 'time passes';
    },
    nextAt: () => (awaited() ? (due ?? Infinity) : Infinity),
  };
};

/** A database that nobody reconciles, of this uid. */
const putOwner = (environment: TestEnvironment, uid = 'uid-0') =>
  void environment.cluster.put(databases, {
    ...typeMeta(coreDatabase),
    metadata: { ...inSystem('orders'), uid },
    spec: withDefaults(coreDatabase.spec, {
      project: 'shop',
      environment: 'production',
      engine: 'SQLite',
      backup: { enabled: true },
      deploy: { enabled: true },
    }),
  } as KubeObject);
const restores = (environment: TestEnvironment) =>
  putDatabase(environment, { engine: 'SQLite', restoreFrom: { archive: folder } });
const isRestoring = (environment: TestEnvironment) => {
  const { spec, status } = databaseIn(environment) ?? {};
  return spec?.restoreFrom?.archive === folder && (status?.host ?? '') === '';
};
const isFolderInUse = (environment: TestEnvironment): boolean =>
  archivesIn(environment).some(({ spec }) => spec.serverName === folder && (spec.deleteAfter ?? '') === '');
const serves = (environment: TestEnvironment) => {
  const database = databaseIn(environment);
  if (database) environment.cluster.put(databases, { ...database, status: { ...database.status, host: 'orders' } });
};

const told: readonly (readonly [name: string, end: string, given: Path['given'], ...script: readonly Act[]])[] = [
  ['nobody owns it any more', 'Retired', given(null)],
  ['it is kept for its time', 'Retired', given(weekMs)],
  ['it is purged', '', given(-dueMs), goes],
  [
    'the connection is gone and comes back',
    '',
    given(-dueMs, ({ cluster }) => {
      Effect.runSync(cluster.remove(cloudConnections, { name: 'aws' }));
    }),
    once('ConnectionUnavailable', 'the connection is made again', (environment) => putConnection(environment)),
    goes,
  ],
  [
    'the keys are gone and come back',
    '',
    given(-dueMs, ({ cluster }) => cluster.drop(secrets, 'aws-keys')),
    once('ConnectionUnavailable', 'the keys come back', (environment) => putConnection(environment)),
    goes,
  ],
  [
    'the cloud refuses, then allows it',
    '',
    given(-dueMs, refuses),
    once('PurgeFailed', 'the cloud allows it', heals),
    goes,
  ],
  [
    'the cloud deletes nothing for a while',
    '',
    given(-dueMs, keepsAll),
    once('PurgeFailed', 'it deletes again', deletesAgain),
    goes,
  ],
  ['its database lives', 'Retired', given(-dueMs, putOwner)],
  ['a database is restored from it', '', given(-dueMs, restores), once('Retired', 'it serves', serves), goes],
  [
    'another archive uses the folder',
    'Retired',
    given(-dueMs, (environment) => {
      putOwner(environment, 'uid-1');
      putArchive(environment, null, { serverName: folder, databaseUID: 'uid-1' }, 'other');
    }),
  ],
  [
    'its folder is no folder',
    'PurgeFailed',
    given(-dueMs, (environment) => putArchive(environment, -dueMs, { serverName: '' })),
  ],
  ['its bucket is gone', '', given(-dueMs, ({ cloud }) => void cloud.model.state.buckets.delete(bucket)), goes],
];

/** Everything in the bucket: each version, each mark of deletion, each unfinished upload. */
function heldIn({ cloud: { model } }: TestEnvironment): readonly string[] {
  if (!model.state.buckets.has(bucket)) return [];
  const root = model.keyOf(rootKey.accessKeyId);
  const all = { prefix: '', after: null, afterId: null };
  const lines = [...model.listVersions(root, bucket, all).items, ...model.listUploads(root, bucket, all).items];
  return lines.map(({ name, object }) => `${name} ${object?.id ?? ''}`);
}

/** Nothing of others is removed, nothing of the archive before its time, and nothing of it is left. */
const oracle = (environment: TestEnvironment, hasUserEdits: boolean): Oracle => {
  const { model } = environment.cloud;
  const wrong: string[] = [];
  const isOwn = (one: string) => one.startsWith(prefix);
  /** Whether nothing of it may be removed; a restore that begins amid a page is not seen in time. */
  const isKept = () =>
    !isDue(environment) ||
    databaseIn(environment)?.metadata.uid === 'uid-0' ||
    isFolderInUse(environment) ||
    (!hasUserEdits && isRestoring(environment));
  const removed = (key: string) => {
    if (!isOwn(key)) wrong.push(`${key} is of others and was removed`);
    else if (archiveIn(environment) !== undefined && isKept()) wrong.push(`${key} was removed before its time`);
  };
  const { remove, abortUpload } = model;
  Object.assign(model, {
    remove: (...given: Parameters<typeof remove>) => (removed(given[1].key), remove(...given)),
    abortUpload: (...given: Parameters<typeof abortUpload>) => (removed(given[1].key), abortUpload(...given)),
  });
  return {
    look: (changed) => [...shownKeys(environment, changed), ...wrong],
    atRest: () => [
      ...wrong,
      ...(hasUserEdits || archiveIn(environment) ? [] : heldIn(environment).filter(isOwn)).map(
        (one) => `${one} is left`,
      ),
    ],
  };
};

/** Archives of backups, from the end of their database to the purge. */
export const backupArchiveSubject: FaultSubject = {
  name: 'backupArchive',
  tables: ['backupArchive'],
  controllers: () => [backupArchiveController(bucketListings(backupStorages()))],
  alsoSeen: everyKind,
  removes: true,
  repaired: retired,
  paths: told.map(([name, end, prepared, ...script]) => ({
    name,
    given: prepared,
    script,
    actors: (environment) => (script.includes(goes) ? [patience(environment)] : []),
    ends: [end],
    mayDiffer: (difference) => /^Secret \S+\.(data\.|metadata\.annotations\.)/.test(difference),
  })),
  state: stateIn,
  userEdits: {
    'a database is deleted': dropDatabase,
    'a database is restored from it': restores,
    'the connection is deleted': ({ cluster }) => cluster.drop(cloudConnections, 'aws'),
    'the bucket is deleted': ({ cloud }) => void cloud.model.state.buckets.delete(bucket),
    'it is deleted': ({ cluster }) => cluster.drop(backupArchives, folder),
    'it is due at once': (environment) => {
      const deleteAfter = isoTime(environment.now() - dueMs);
      if (archiveIn(environment))
        Effect.runSync(environment.cluster.patch(backupArchives, { name: folder }, { spec: { deleteAfter } }));
    },
  },
  oracle,
};
