import type { Job } from '../../../../crds/builtIn.ts';
import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { dumpIn } from '../../../../rules/backup/points.ts';
import { purposeLabel } from '../../../../rules/backup/jobs.ts';
import { userOf } from '../../../../rules/backupStorage/place.ts';
import { archiveKeptMs } from '../../../../rules/backupArchive/retirement.ts';
import { msOf } from '../../../../rules/time.ts';
import { isRetired } from '../../../../runtime/controllers/backupArchive/observe/archives.ts';
import { jobOutcome } from '../../../../rules/jobOutcome.ts';
import { backupJobs, postgresBackups, scheduledBackups } from '../../../../runtime/owned/addonKinds.ts';
import type { CloudBucket } from '../../../../runtime/local/cloud/state.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { archivesIn, bucket } from '../../../support/backups.ts';
import { keysIn } from '../../../support/cloud/objects.ts';
import { databaseIn } from '../../../support/database.ts';
import { keyOf } from '../../../support/memoryCluster.ts';
import { pieceIn } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Oracle } from '../subject.ts';

/** As the databases of the paths have it. */
const keptDays = 7;
/** A clock that was set meanwhile moves what was counted from it. */
const clockSetMs = 3 * 3_600_000 + 60_000;

const keysOfCloud = ({ cloud }: TestEnvironment) => [...cloud.model.state.keys.values()];
const storedIn = ({ cloud }: TestEnvironment): readonly string[] =>
  cloud.model.state.buckets.has(bucket) ? cloud.stored(bucket) : [];

/** Keys stand in Secrets and nowhere else. */
export function shownKeys(environment: TestEnvironment, changed: KubeObject): readonly string[] {
  if (changed.kind === secrets.kind) return [];
  const text = JSON.stringify(changed);
  return keysOfCloud(environment).some(({ secret }) => text.includes(secret)) ? [`${keyOf(changed)} shows a key`] : [];
}

/** Each database has one archive that is not retired, and each folder one archive. */
function archivesAreApart(environment: TestEnvironment): readonly string[] {
  const archives = archivesIn(environment);
  const folders = archives.map(({ spec }) => `${spec.storage.bucket}/${spec.project}/${spec.serverName}`);
  const alive = archives.filter((one) => !isRetired(one)).map(({ spec }) => spec.databaseUID);
  return [
    ...(new Set(folders).size === folders.length ? [] : ['two archives have one folder']),
    ...(new Set(alive).size === alive.length ? [] : ['a database has two archives']),
  ];
}

const dumpOf = (key: string) => dumpIn(key.split('/').slice(2).join('/'));

/** Whether a dump may go: a newer one is itself older than dumps are kept. */
function isThinned(key: string, keys: readonly string[], environment: TestEnvironment): boolean {
  const dump = dumpOf(key);
  const since = environment.now() - keptDays * 86_400_000 + clockSetMs;
  return dump !== null && keys.some((one) => (dumpOf(one)?.at ?? 0) > dump.at && (dumpOf(one)?.at ?? since) < since);
}

/** The window of an archive holds its newest point. */
function windowsAreWhole({ kind, status }: CoreBackupArchive): readonly string[] {
  if (kind !== 'CoreBackupArchive' || typeof status?.recoveryWindowEnd !== 'string') return [];
  const [newest] = status.restorePoints ?? [];
  return newest !== undefined && msOf(status.recoveryWindowEnd) < msOf(newest.time)
    ? ['the window of an archive ends before its newest point']
    : [];
}

/** What took the backups of a database that is gone. */
const takersIn = (environment: TestEnvironment): readonly string[] =>
  [owned.cronJobs, backupJobs, scheduledBackups, postgresBackups, owned.secrets]
    .flatMap((resource) => environment.cluster.all(resource))
    .filter(({ metadata }) => metadata.namespace === 'shop-production')
    .filter(({ metadata }) => /-backup|-final|-restore|^orders$/.test(metadata.name))
    .map(({ kind, metadata }) => `${kind} ${metadata.name} is left`);

/** What a protected database lacks. */
function lackingIn(environment: TestEnvironment): readonly string[] {
  const database = databaseIn(environment);
  const archive = archivesIn(environment).find((one) => one.metadata.name === database?.status?.backup?.archive);
  const stored = keysIn(pieceIn(environment, owned.secrets, 'orders-backup-credentials'));
  const live = keysOfCloud(environment).filter(({ user }) => user === userOf(bucket));
  const points = archive?.status?.restorePoints ?? [];
  const names = storedIn(environment);
  return [
    ...(archive === undefined || isRetired(archive) ? ['it is protected without an archive'] : []),
    ...(points.length > 0 ? [] : ['it is protected without a restore point']),
    ...points.filter(({ id }) => !names.some((name) => name.includes(id))).map(({ id }) => `there is no point ${id}`),
    ...(live.length === 1 ? [] : [`${live.length} keys of the bucket's user are alive`]),
    ...(live.some(({ id }) => id === stored.accessKeyId) ? [] : ['what takes the backups has a key that nobody knows']),
  ];
}

/** What must hold of the backups of a database whatever goes wrong: none is lost, none is taken twice, no key is shown. */
export function backupsOracle(environment: TestEnvironment, hasUserEdits: boolean, late: boolean): Oracle {
  let before: readonly string[] = [];
  let bucketBefore: CloudBucket | undefined;
  let deletedAt: number | null = null;
  const finals = new Map<string, string>();
  const isTakenTwice = (changed: KubeObject): readonly string[] => {
    if (changed.kind !== 'Job' || changed.metadata.labels?.[purposeLabel] !== 'final') return [];
    const others = [...finals].filter(([uid]) => uid !== changed.metadata.uid);
    finals.set(changed.metadata.uid ?? '', jobOutcome(changed as Job).is);
    return !hasUserEdits && !late && others.some(([, came]) => came === 'succeeded')
      ? ['a last backup is taken twice']
      : [];
  };
  const lost = (): readonly string[] => {
    const now = storedIn(environment);
    const current = environment.cloud.model.state.buckets.get(bucket);
    // A bucket that was deleted takes what is in it along, also where another one stands already; only the path may do that.
    const isSame = current !== undefined && current === bucketBefore;
    bucketBefore = current;
    const gone =
      hasUserEdits || !isSame ? [] : before.filter((key) => !now.includes(key) && !isThinned(key, before, environment));
    before = now;
    return gone.map((key) => `${key} was removed`);
  };
  return {
    look: (changed) => {
      if (changed.kind === 'CoreDatabase' && changed.metadata.deletionTimestamp !== undefined)
        deletedAt ??= msOf(changed.metadata.deletionTimestamp);
      return [
        ...shownKeys(environment, changed),
        ...archivesAreApart(environment),
        ...isTakenTwice(changed),
        ...windowsAreWhole(changed as CoreBackupArchive),
        ...lost(),
      ];
    },
    atRest: () => {
      // What somebody changes in the cloud is found within ten minutes, which may be after everything has come to rest.
      if (hasUserEdits) return [];
      const database = databaseIn(environment);
      if (database) return database.status?.backup?.state === 'Protected' ? lackingIn(environment) : [];
      const kept = (deletedAt ?? 0) + archiveKeptMs - clockSetMs;
      return [
        ...takersIn(environment),
        ...archivesIn(environment)
          .filter(({ spec }) => !(typeof spec.deleteAfter === 'string' && msOf(spec.deleteAfter) >= kept))
          .map(({ metadata }) => `${metadata.name} is not kept for seven days`),
      ];
    },
  };
}
