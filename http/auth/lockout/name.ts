import { nameLockout } from '../../../machines/nameLockout.ts';
import type { NameLockoutAction, NameLockoutEvent, NameLockoutState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { byState } from '../../../rules/engine.ts';
import { known } from '../../../rules/fact.ts';
import { nameLockoutEvents } from '../../../rules/nameLockout/events.ts';
import type { NameLockoutFacts } from '../../../rules/nameLockout/facts.ts';
import { afterActions, type FailureRecords, noFailures, otherRecords } from '../../../rules/nameLockout/records.ts';
import { happen } from '../../../runtime/step/happen.ts';
import type { Stepper } from '../../../runtime/step/step.ts';
import type { Directory } from '../directory.ts';

export const nameStepper: Stepper<NameLockoutFacts, NameLockoutState, NameLockoutEvent['type']> = {
  name: 'nameLockout',
  kept: 'secret',
  machine: nameLockout,
  rules: byState(nameLockoutEvents),
  ...tables.nameLockout,
};

/** A sign-in that was looked at: with which name, when, and whether the password was that of a user. */
export interface Tried {
  readonly username: string;
  readonly isRight: boolean;
  readonly now: number;
}

export interface TriedName {
  readonly event: NameLockoutEvent['type'];
  /** What the Secret is to keep; null where it stays as it is. */
  readonly records: FailureRecords | null;
}

/** Actions that are a reason for a write. */
const written: ReadonlySet<string> = new Set<NameLockoutAction>(['beginMinute', 'countFailure', 'reckonFromNow']);

/** What a sign-in does to the lockout of its name. A lock that is over is lifted first, and then it is looked at anew. */
export function tryName({ users, lockouts }: Directory, { username, isRight, now }: Tried): TriedName {
  let records: FailureRecords = lockouts;
  let isChanged = false;
  for (;;) {
    const record = records.get(username) ?? noFailures;
    const { event, actions } = happen(nameStepper, record.lockedUntil === 0 ? 'Open' : 'Locked', {
      now,
      asked: 'signIn',
      configured: users.has(username),
      record,
      otherRecords: otherRecords(records, username, now),
      passwordRight: known(isRight),
    });
    records = afterActions(records, actions, { name: username, now });
    // What is spent is dropped at the next write, and is no reason for one.
    isChanged ||= actions.some((action) => written.has(action));
    if (event === 'lockEnded' || event === 'clockSetBack') continue;
    return { event, records: isChanged ? records : null };
  }
}
