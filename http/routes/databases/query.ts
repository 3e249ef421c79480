import type { RouterContext } from '@koa/router';
import { Effect } from 'effect';
import type { CoreDatabase, DatabaseSpec } from '../../../crds/coreDatabase.ts';
import { namespaceOf } from '../../../rules/database/effective.ts';
import { primaryOf, queryCommand, queryInput, queryLimits } from '../../../rules/database/query.ts';
import { isReadyPod } from '../../../rules/pods.ts';
import { loginOf, workloadPods } from '../../../runtime/controllers/database/read.ts';
import { postgresClusters } from '../../../runtime/owned/addonKinds.ts';
import { gateOf, specOf } from '../../../rules/database/deployed.ts';
import { ownedBy } from '../../../runtime/owned/kinds.ts';
import { Exec } from '../../../runtime/services/exec.ts';
import { orThrow, refuse } from '../../orThrow.ts';
import type { QueryAnswer } from './shapes.ts';
import type { Access } from '../../auth/guard.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { Static } from '@sinclair/typebox';
import type { queryRequest } from './shapes.ts';
import { type CommandRun, runCommand } from './runCommand.ts';
import type { ServerContext } from '../../context.ts';
import { databaseIn } from './databaseIn.ts';

type Fields = Static<typeof queryRequest>;

/** Some time for the command to begin and to end by itself. */
const timeoutMs = (queryLimits.seconds + 5) * 1_000;

/** Runs a statement in the pod of the primary, as the login of the database; nothing of it is logged. */
export const queryDatabase =
  (context: ServerContext) =>
  async (
    ctx: AnswerContext<QueryAnswer>,
    _: Access,
    { path, body }: { readonly path: { readonly database: string }; readonly body: Fields },
  ): Promise<void> => {
    const database = databaseIn(ctx, context, path.database);
    const spec = specOf(database, gateOf(database));
    if (spec.placement === 'External')
      return refuse(ctx, 409, 'an external database runs elsewhere: statements are run with a client of its own');
    const primary = primaryIn(context, database, spec);
    const login = loginOf(database, spec, context.operator.caches);
    if (primary === null || login === null) return refuse(ctx, 409, 'the database is not running');
    const statement = Buffer.from(body.statement, 'utf8');
    if (statement.length === 0) return refuse(ctx, 400, 'statement is required');
    const execution = {
      container: primary.container,
      command: queryCommand(database, spec, statement.length),
      interactive: false,
      reads: true,
    };
    const opening = Effect.flatMap(Exec, (exec) =>
      exec.open({ name: primary.pod, namespace: namespaceOf(spec) }, execution),
    );
    const stream = orThrow(ctx, await context.run(opening), {
      NotFound: { status: 409, text: 'the database is not running' },
    });
    const limits = { outputBytes: queryLimits.outputBytes, timeoutMs };
    const ran = await runCommand(stream, queryInput(login.password, statement), limits);
    return sendJson(ctx, answerOf(ctx, ran));
  };

function answerOf(ctx: RouterContext, { output, truncated, end }: CommandRun): QueryAnswer {
  if (end.is === 'exited') return { output, truncated, exitCode: end.code };
  if (truncated) return { output, truncated, exitCode: null };
  return refuse(ctx, 502, `the statement was not run to its end: ${end.why}`);
}

/** The pod that takes writes, if it is Ready. */
function primaryIn({ operator: { caches } }: ServerContext, database: CoreDatabase, spec: DatabaseSpec) {
  const { name } = database.metadata;
  const namespace = namespaceOf(spec);
  const running = caches
    .indexed(workloadPods, ...ownedBy('CoreDatabase', name))
    .filter((pod) => pod.metadata.namespace === namespace && isReadyPod(pod));
  const current = caches.get(postgresClusters, name, namespace)?.status?.currentPrimary ?? '';
  const [first] = running;
  if (spec.engine === 'SQLite') return first ? { pod: first.metadata.name, container: 'rqlite' } : null;
  const primary = primaryOf(database, spec, current);
  return running.some(({ metadata }) => metadata.name === primary?.pod) ? primary : null;
}
