import type { Secret } from '../../../../../../crds/builtIn.ts';
import type { CoreDatabase, DatabaseSpec } from '../../../../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../../../../crds/kind.ts';
import { archiving, recovery } from '../../../../../../rules/backup/barman.ts';
import { credentialsSecret } from '../../../../../../rules/backup/credentials.ts';
import { backupCredentialsName, restoreCredentialsName } from '../../../../../../rules/backup/names.ts';
import { placeOf } from '../../../../../../rules/backup/place.ts';
import { namespaceOf } from '../../../../../../rules/database/effective.ts';
import type { Settled } from '../../../../../../rules/database/settled.ts';
import type { CacheReader } from '../../../../../cache/reader.ts';
import { owned } from '../../../../../owned/owned.ts';
import { secretText } from '../../../../../services/secretText.ts';
import { postgresClusters } from '../../../../../owned/addonKinds.ts';
import { bucketAccess, archiveOf, isBackedUpNow } from '../../../../backupArchive/read.ts';
import { originOf, type Targets } from '../../../actions/restore.ts';

/** Whether it is the Secret of the backup objects, which exists as long as they do. */
export const isBackupSecret = ({ metadata }: CoreDatabase, one: KubeObject): boolean =>
  one.kind === 'Secret' && one.metadata.name === backupCredentialsName(metadata.name);

/** The parts of a Postgres server that have to do with backups. */
export function archivingOf(
  database: CoreDatabase,
  spec: DatabaseSpec,
  { reader, targets }: { readonly reader: CacheReader; readonly targets: Targets },
): Pick<Settled, 'archiving' | 'recovery'> {
  if (spec.engine !== 'Postgres') return {};
  return { archiving: archivingNow(database, spec, reader), recovery: recoveryOf(database, spec, { reader, targets }) };
}

function archivingNow(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): object | undefined {
  const archive = isBackedUpNow(database) ? archiveOf(database, reader) : undefined;
  if (!archive) return undefined;
  const access = bucketAccess(archive.spec, reader);
  if (access.is === 'usable')
    return archiving(database, placeOf(archive.spec, access.endpoint), archive.spec.retentionDays);
  // A connection missing for a while changes nothing.
  return reader.get(postgresClusters, database.metadata.name, namespaceOf(spec))?.spec?.backup;
}

function recoveryOf(
  database: CoreDatabase,
  spec: DatabaseSpec,
  { reader, targets }: { readonly reader: CacheReader; readonly targets: Targets },
): Settled['recovery'] {
  const origin = originOf(database, spec, reader);
  if (origin === null) return undefined;
  const access = bucketAccess(origin.archive.spec, reader);
  const target = targets.get(database.metadata.uid ?? '') ?? origin.chosen;
  return recovery(database, spec, {
    place: placeOf(origin.archive.spec, access.is === 'usable' ? access.endpoint : ''),
    target,
  });
}

/** The keys of the bucket to restore from, until the database serves; the existing ones when these are unknown. */
export function restoreSecret(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): readonly Secret[] {
  const origin = originOf(database, spec, reader);
  if (origin === null) return [];
  const name = restoreCredentialsName(database.metadata.name);
  const access = bucketAccess(origin.archive.spec, reader);
  if (access.is === 'usable') return [credentialsSecret(database, spec, { name, ...access.account })];
  const live = reader.get(owned.secrets, name, namespaceOf(spec));
  if (live === undefined) return [];
  const [accessKeyId, secretAccessKey, region] = [
    secretText(live, 'ACCESS_KEY_ID'),
    secretText(live, 'ACCESS_SECRET_KEY'),
    secretText(live, 'REGION'),
  ];
  return [credentialsSecret(database, spec, { name, accessKeyId, secretAccessKey, region })];
}
