import type { DashboardSessionFacts } from '../../rules/dashboardSession/facts.ts';
import { known, unasked, unknown } from '../../rules/fact.ts';
import { onRequest } from '../../runtime/step/onRequest.ts';
import type { User } from '../auth/directory.ts';
import { type EpochKeeper, epochSecret } from '../auth/epochs.ts';
import { sessionStepper } from '../auth/session.ts';
import type { Sessions } from '../auth/sessions.ts';
import { type AccessItem, type AccessMachine, secretNamed } from './accessMachine.ts';

/** One session that begins now represents all sessions of a user: the start of each is in its cookie alone. */
function itemOf(username: string, { role }: User, epoch: number, now: number): AccessItem {
  const facts: DashboardSessionFacts = {
    now,
    asked: null,
    nameLocked: false,
    passwordRight: unasked,
    signedInAt: now,
    role,
    epoch,
    user: { is: 'present', role, epoch },
  };
  return {
    item: username,
    subject: username,
    scope: null,
    state: 'Active',
    since: null,
    facts,
    shownFacts: {
      signedInAt: unknown('it is in the sealed cookie of each session'),
      epoch: unknown('it is shown to nobody'),
      user: known({ is: 'present', role }),
    },
    notes: [
      {
        name: 'cookies',
        text: 'Stands for every session the user may have: which there are, only their browsers know',
        until: null,
      },
    ],
  };
}

/** The users whose sessions are valid; whether they have any is unknown, because cookies cannot be listed. */
export const sessionMachine = (
  sessions: Pick<Sessions, 'directory'>,
  epochs: Pick<EpochKeeper, 'of'>,
): AccessMachine => ({
  machine: onRequest(sessionStepper),
  object: secretNamed(epochSecret),
  items: (now) =>
    [...sessions.directory().users].flatMap(([username, user]) => {
      const epoch = epochs.of(username);
      return epoch === null ? [] : [itemOf(username, user, epoch, now)];
    }),
});
