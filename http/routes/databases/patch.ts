import type { Read } from '../resource.ts';
import type { RouterContext } from '@koa/router';
import { coreDatabase, type CoreDatabase } from '../../../crds/coreDatabase.ts';
import { refusalOfChange } from '../../../rules/database/changes.ts';
import { refusalOfSpec } from '../../../rules/database/refusals.ts';
import { refuseUnknownSize } from './sizes.ts';
import { canGrow } from '../../../runtime/controllers/database/read.ts';
import { merged } from '../../../runtime/step/mergePatch.ts';
import { refuse } from '../../orThrow.ts';
import type { Access } from '../../auth/guard.ts';
import { clearedPatch } from '../../request/clearedPatch.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { Static } from '@sinclair/typebox';
import type { databaseChanged } from './shapes.ts';
import type { ServerContext } from '../../context.ts';
import { databaseRead } from '../../views/database.ts';
import { commandedDatabase, databaseIn } from './databaseIn.ts';

type Fields = Static<typeof databaseChanged>;

/** Saves settings of a database; what cannot work, or cannot become of what runs, is refused. */
export const patchDatabase =
  (context: ServerContext) =>
  async (
    ctx: AnswerContext<Read>,
    access: Access,
    { path, body }: { readonly path: { readonly database: string }; readonly body: Fields },
  ): Promise<void> => {
    const { displayName, ...fields } = body;
    const before = databaseIn(ctx, context, path.database);
    const spec = clearedPatch(coreDatabase.spec, before.spec, fields);
    const after = merged(before, { spec });
    refuseChange(ctx, context, before, after);
    await refuseUnknownSize(ctx, context, after.spec, before.spec.clusterSize);
    const asked = { is: 'save', spec, ...(displayName === undefined ? {} : { displayName }) } as const;
    const saved = await commandedDatabase(ctx, context, access, { name: path.database, machine: 'draftDeploy', asked });
    return sendJson(ctx, databaseRead(saved, access.view));
  };

function refuseChange(
  ctx: RouterContext,
  { operator }: ServerContext,
  before: CoreDatabase,
  after: CoreDatabase,
): void {
  const unsound = refusalOfSpec(after, after.spec);
  if (unsound !== null) return refuse(ctx, 400, unsound);
  const refused = refusalOfChange(before, after, canGrow(before, before.spec, operator.caches));
  return refused === null ? undefined : refuse(ctx, 409, refused);
}
