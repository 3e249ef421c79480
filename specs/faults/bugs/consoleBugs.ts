import { Effect } from 'effect';
import * as engine from '../../../rules/engine.ts';
import * as owedLines from '../../../rules/consoleSession/owedLines.ts';
import * as start from '../../../rules/consoleSession/start.ts';
import * as timeout from '../../../rules/consoleSession/timeout.ts';
import * as consoleSession from '../../../runtime/controllers/consoleSession/lifecycle.ts';
import * as confirm from '../../../runtime/command/confirm.ts';
import * as ending from '../../../runtime/terminals/ending.ts';
import * as catchUp from '../../../runtime/step/catchUp.ts';
import * as hangUp from '../../../runtime/controllers/consoleSession/actions/hangUp.ts';
import { type Bug, replaced } from './bug.ts';

/** Bugs of terminals, each with the plan that shows it. */
export const consoleBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'end not recorded',
    family: 'memory instead of state',
    text: 'a holder closes its terminal without a record',
    plan: 'consoleSession / a client leaves',
    plant: replaced(ending, 'recordEnd', () => () => Effect.void),
  },
  {
    name: 'close line lost',
    family: 'swallowed error',
    text: 'the log has no end of a terminal',
    plan: 'consoleSession / a client leaves',
    plant: replaced(
      owedLines,
      'owing',
      (original) => (status, line, holder) => (line === 'closed' ? [] : original(status, line, holder)),
    ),
  },
  {
    name: 'shell left running',
    family: 'status before effect',
    text: 'a terminal ends and its shell does not',
    plan: 'consoleSession / a client leaves',
    plant: replaced(start, 'hangUpCommand', () => () => ['true']),
  },
  {
    name: 'moment without a timer',
    family: 'lost requeue',
    text: 'what time alone ends, such as a lifetime, is not passed over when its moment comes',
    plan: 'consoleSession / a session runs out',
    plant: replaced(
      engine,
      'requeueAfterMs',
      (original) => (look, facts, now) => ('at' in look ? Number.MAX_SAFE_INTEGER : original(look, facts, now)),
    ),
  },
  {
    name: 'limit counted from attach',
    family: 'wrong rule',
    text: 'the time of a session begins anew whenever it is looked at',
    plan: 'consoleSession / a session runs out',
    plant: replaced(
      timeout,
      'limitAt',
      (original) => (facts, limits) => original({ ...facts, startedAt: facts.now }, limits),
    ),
  },
  {
    name: 'second terminal admitted',
    family: 'wrong rule',
    text: 'a session whose terminal is open counts as free',
    plan: 'consoleSession / two clients at once',
    plant: replaced(consoleSession, 'sessionState', (original) => (session) => {
      const state = original(session);
      return state === 'Attached' ? 'Active' : state;
    }),
  },
  {
    name: 'silent attach taken for done',
    family: 'lost answer',
    text: 'an attach that nobody answered counts as recorded',
    plan: 'consoleSession / a client leaves / timeOut at=2 for=1 on=write',
    plant: replaced(
      confirm,
      'confirmMove',
      () =>
        ({ working }) =>
          Effect.succeed(working),
    ),
  },
  {
    name: 'creation entered late',
    family: 'outside move',
    text: 'a leader moves a new session before its creation is in the history',
    plan: 'consoleSession / a session is created / serves at=2',
    plant: replaced(
      catchUp,
      'withEnteredMove',
      (original) => (lifecycle, object, given) =>
        lifecycle.storage === 'status' ? object : original(lifecycle, object, given),
    ),
  },
  {
    name: 'owed line never written',
    family: 'memory instead of state',
    text: 'nobody writes the lines of a process that died before it wrote them',
    plan: 'consoleSession / a client leaves / dies at=4 when=after',
    plant: replaced(owedLines, 'sessionsWithPendingLines', () => () => []),
  },
  {
    name: 'shell left at the limit',
    family: 'status before effect',
    text: 'the shell of a process that died shortly before the limit goes on',
    plan: 'consoleSession / the limit is shorter than a lease / dies at=3 when=after',
    plant: replaced(hangUp, 'hangUpLeft', () => () => Effect.void),
  },
];
