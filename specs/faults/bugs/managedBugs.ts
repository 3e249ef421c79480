import { Effect } from 'effect';
import { known } from '../../../rules/fact.ts';
import * as actions from '../../../runtime/controllers/database/lifecycles/managedDatabase/actions.ts';
import * as ask from '../../../runtime/controllers/database/lifecycles/managedDatabase/ask.ts';
import { type Bug, replaced } from './bug.ts';

/** Bugs of databases at their provider, each with the plan that shows it. */
export const managedBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'login left live',
    family: 'recovery',
    text: 'a login whose password is lost is not revoked before another one is issued',
    plan: 'managedDatabase / its connection is deleted',
    plant: replaced(actions, 'managedActions', (original) => (parts, memory) => ({
      ...original(parts, memory),
      revokeLogin: { ...original(parts, memory).revokeLogin, effect: () => Effect.void },
    })),
  },
  {
    name: 'silence taken for absence',
    family: 'wrong rule',
    text: 'a provider that does not answer is taken to have no such database',
    plan: 'managedDatabase / one that stands is used / provider does=refuse at=1 for=3',
    plant: replaced(
      ask,
      'askProvider',
      (original) => (database, around) =>
        Effect.map(original(database, around), (fact) =>
          fact.is === 'known' && (fact.value as { readonly is: string }).is === 'failed'
            ? known({ is: 'absent' })
            : fact,
        ),
    ),
  },
  {
    name: 'lost answer of a store',
    family: 'lost answer',
    text: 'a login is revoked although the connection that holds it was written',
    plan: 'managedDatabase / one that stands is used / loseAnswer noticed=atOnce at=1 of=secrets',
    plant: replaced(ask, 'storedPassword', () => () => Effect.succeed('')),
  },
];
