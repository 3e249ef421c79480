import type { Created } from '../resource.ts';
import type { CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import { coreDatabase, type DatabaseSpec, engines } from '../../../crds/coreDatabase.ts';
import { withDefaults } from '../../../crds/defaults.ts';
import { refusalOfSpec } from '../../../rules/database/refusals.ts';
import { engineOf, restoreRefusal, type RestoreRefusal } from '../../../rules/restore/refusals.ts';
import { bucketAccess } from '../../../runtime/controllers/backupArchive/read.ts';
import { restoreWanted } from '../../../runtime/controllers/database/read.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import { backupArchives } from '../../../runtime/services/cluster/kinds.ts';
import { refuse } from '../../orThrow.ts';
import type { Access } from '../../auth/guard.ts';
import type { Static } from '@sinclair/typebox';
import type { restoreRequest } from './shapes.ts';
import { notPlaced } from '../projects/liveProject.ts';
import type { ServerContext } from '../../context.ts';
import type { AnswerContext } from '../../response.ts';
import { createdDatabase, databaseNamed } from './create.ts';

type Fields = Static<typeof restoreRequest>;

const statuses = { gone: 404, noPoints: 409, storage: 502, wrong: 400 } as const satisfies Record<
  RestoreRefusal['is'],
  number
>;

/** A new database that begins from a backup, beside the original; deployed at once. */
export const restoreDatabase =
  (context: ServerContext) =>
  async (ctx: AnswerContext<Created>, access: Access, { body }: { readonly body: Fields }): Promise<void> => {
    const { operator, now } = context;
    const archive = operator.caches.get(backupArchives, body.archive) ?? null;
    const unplaced = archive === null ? null : notPlaced(operator.caches, body);
    if (unplaced !== null) return refuse(ctx, 400, unplaced);
    const spec = archive === null ? null : specFrom(archive, body);
    const database = databaseNamed(
      ctx,
      context,
      body.name,
      spec ?? withDefaults(coreDatabase.spec, { engine: 'Postgres' }),
    );
    const refusal = restoreRefusal({
      wanted: { ...restoreWanted(database, database.spec), ...compared(body) },
      archive,
      storage: archive === null ? '' : unusableOf(archive, operator.caches),
      now: now(),
    });
    if (refusal !== null) return refuse(ctx, statuses[refusal.is], refusal.why);
    const wrong = refusalOfSpec(database, database.spec);
    if (wrong !== null) return refuse(ctx, 400, wrong);
    return await createdDatabase(ctx, context, access, { database, asked: 'createDeployed' });
  };

const unusableOf = ({ spec }: CoreBackupArchive, reader: CacheReader): string => {
  const access = bucketAccess(spec, reader);
  return access.is === 'unusable' ? access.why : '';
};

/** What a caller says of the original is only compared with it. */
const compared = ({ engine, version, databaseName }: Fields) => ({
  ...(engine === undefined ? {} : { engine }),
  ...(version === undefined ? {} : { version }),
  ...(databaseName === undefined ? {} : { databaseName }),
});

function specFrom({ metadata, spec }: CoreBackupArchive, fields: Fields): DatabaseSpec {
  const { source = {}, retentionDays } = spec;
  const engine = engines.find((one) => one === engineOf({ spec })) ?? 'Postgres';
  const { restorePoint, time } = fields;
  const resources = fields.resources ?? source.resources;
  const storageSize = fields.storageSize ?? source.storageSize;
  return withDefaults(coreDatabase.spec, {
    project: fields.project,
    environment: fields.environment,
    engine,
    ...(source.version ? { version: source.version } : {}),
    ...(source.databaseName ? { databaseName: source.databaseName } : {}),
    ...(storageSize === undefined ? {} : { storageSize }),
    ...(resources === undefined ? {} : { resources }),
    backup: { enabled: true, retentionDays },
    restoreFrom: {
      archive: metadata.name,
      ...(restorePoint === undefined ? {} : { restorePoint }),
      ...(time === undefined ? {} : { time }),
    },
  });
}
