import type { RouterContext } from '@koa/router';
import type { KubeObject } from '../../../crds/kind.ts';
import { isOfStore, type Target } from '../../../rules/consoleSession/target.ts';
import type { ConsoleAsked, ConsolePodSeen } from '../../../rules/consoleSession/facts.ts';
import { actorOf, nameBytes, newSession } from '../../../rules/consoleSession/newSession.ts';
import { podsOf } from '../../../runtime/controllers/app/read.ts';
import { sessionState, type FitTarget, fitTarget } from '../../../runtime/controllers/consoleSession/read.ts';
import { apps, consoleSessions } from '../../../runtime/services/cluster/kinds.ts';
import type { CoreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { orThrow, refuse } from '../../orThrow.ts';
import type { ConsoleCreated } from './shapes.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { Static } from '@sinclair/typebox';
import type { consoleRequest } from './shapes.ts';
import type { ServerContext } from '../../context.ts';
import { placedOn } from '../../views/placed.ts';

type Fields = Static<typeof consoleRequest>;

/** Opens a session in a pod of a service or of the object-store server: refused in the order of the table "Create". */
export async function createSession(
  ctx: AnswerContext<ConsoleCreated>,
  context: ServerContext,
  {
    access,
    of,
    fields,
  }: { readonly access: Access; readonly of: Pick<Target, 'app' | 'project' | 'environment'>; readonly fields: Fields },
): Promise<void> {
  const { operator, settings, run, random } = context;
  const { pod = '', container = '', timeoutSeconds } = fields;
  const command = commandIn(ctx, fields);
  const target = { ...of, pod, container };
  const isNamed = pod !== '' && container !== '';
  const found = isNamed ? orThrow(ctx, await run(fitTarget(target))) : null;
  const asked: ConsoleAsked = {
    is: 'create',
    caller: 'admin',
    targetNamed: isNamed,
    pod: podSeen(context, target, found),
    commandWords: command.length,
  };
  const actor = actorOf(callerIn(access).username);
  const session = newSession({
    target,
    actor,
    command,
    timeoutSeconds,
    podUid: found?.uid ?? '',
    random: random(nameBytes),
  });
  const { controller, lifecycle } = placedOn(operator, settings.machines, {
    kind: consoleSessions.kind,
    machine: 'consoleSession',
  });
  const result = await run(operator.create(controller, lifecycle, session, { asked, by: actor }));
  const refusal = result._tag === 'Failure' && result.failure._tag === 'CommandRejected' ? result.failure.says : null;
  const created = refusal === null ? orThrow(ctx, result) : refuse(ctx, 400, refusal);
  return sendJson(ctx, { session: created.metadata.name, phase: phaseOf(created) }, 201);
}

function phaseOf(created: KubeObject): ConsoleCreated['phase'] {
  const state = sessionState(created as CoreConsoleSession);
  return state === 'Attached' ? 'Active' : state;
}

/** A form has one word; in JSON the words are a list. An empty word is none. */
function commandIn(ctx: RouterContext, { command = [] }: Fields): readonly string[] {
  if (typeof command === 'string') return ctx.is('urlencoded') && command !== '' ? [command] : [];
  return command.every((word) => word === '') ? [] : command;
}

/** A service whose pods all sleep has no target to name. */
function podSeen({ operator: { caches } }: ServerContext, target: Target, found: FitTarget | null): ConsolePodSeen {
  if (found !== null) return 'running';
  const app = isOfStore(target) ? undefined : caches.get(apps, target.app);
  if (app === undefined) return 'foreign';
  const running = podsOf(app, caches).filter(({ status }) => status?.phase === 'Running');
  return running.length === 0 ? 'noneRuns' : 'foreign';
}
