import { Effect } from 'effect';
import * as start from '../../../rules/consoleSession/start.ts';
import * as timeout from '../../../rules/consoleSession/timeout.ts';
import * as consoleSession from '../../../runtime/controllers/consoleSession.ts';
import * as decideCommand from '../../../runtime/pass/decideCommand.ts';
import * as eventRecorder from '../../../runtime/pass/eventRecorder.ts';
import * as ending from '../../../runtime/terminals/ending.ts';
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
      eventRecorder,
      'linesOf',
      (original) =>
        (...given) =>
          original(...given).filter(({ message }) => message !== 'Console terminal closed'),
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
    name: 'lost attach not looked for',
    family: 'lost answer',
    text: 'an attach whose answer was lost counts as refused',
    plan: 'consoleSession / a client leaves / loseAnswer noticed=atOnce at=2 for=1',
    plant: replaced(decideCommand, 'landed', () => (_, __, failure) => Effect.fail(failure)),
  },
];
