import { unasked } from '../../rules/fact.ts';
import { nameLockoutLimits } from '../../rules/nameLockout/events.ts';
import type { FailureRecord, NameLockoutFacts } from '../../rules/nameLockout/facts.ts';
import { isSpent, otherRecords } from '../../rules/nameLockout/records.ts';
import { onRequest } from '../../runtime/step/onRequest.ts';
import { authSecret, type Directory } from '../auth/directory.ts';
import { nameStepper } from '../auth/lockout/name.ts';
import type { Sessions } from '../auth/sessions.ts';
import { type AccessItem, type AccessMachine, secretNamed } from './accessMachine.ts';

function itemOf(username: string, record: FailureRecord, directory: Directory, now: number): AccessItem {
  const isLocked = now < record.lockedUntil;
  const facts: NameLockoutFacts = {
    now,
    asked: null,
    configured: directory.users.has(username),
    record,
    otherRecords: otherRecords(directory.lockouts, username, now),
    passwordRight: unasked,
  };
  return {
    item: username,
    subject: username,
    scope: null,
    state: isLocked ? 'Locked' : 'Open',
    since: isLocked ? record.lockedUntil - nameLockoutLimits.lockMs : record.since,
    facts,
    shownFacts: {},
    notes: [],
  };
}

/** The usernames with counted failed sign-ins. */
export const nameMachine = ({ directory }: Pick<Sessions, 'directory'>): AccessMachine => ({
  machine: onRequest(nameStepper),
  object: secretNamed(authSecret),
  items: (now) => {
    const known = directory();
    return [...known.lockouts]
      .filter(([, record]) => !isSpent(record, now))
      .map(([username, record]) => itemOf(username, record, known, now));
  },
});
