import { nameLockout } from '../../../machines/nameLockout.ts';
import type { NameLockoutAction, NameLockoutEvent, NameLockoutState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { byState } from '../../../rules/engine.ts';
import { known } from '../../../rules/fact.ts';
import { nameLockoutEvents } from '../../../rules/nameLockout/events.ts';
import type { NameLockoutFacts } from '../../../rules/nameLockout/facts.ts';
import { afterActions, type FailureRecords, noFailures, otherRecords } from '../../../rules/nameLockout/records.ts';
import { transitionOf } from '../../../runtime/step/transitionOf.ts';
import type { Stepper } from '../../../runtime/contract/stepper.ts';
import type { Directory } from '../directory.ts';

export const nameStepper: Stepper<NameLockoutFacts, NameLockoutState, NameLockoutEvent['type']> = {
  name: 'nameLockout',
  storage: 'secret',
  machine: nameLockout,
  rules: byState(nameLockoutEvents),
  ...tables.nameLockout,
};

/** A checked sign-in: its name, its time, and whether the password matched that of a user. */
export interface Tried {
  readonly username: string;
  readonly isRight: boolean;
  readonly now: number;
}

export interface TriedName {
  readonly event: NameLockoutEvent['type'];
  /** The records to write to the Secret; null when it stays unchanged. */
  readonly records: FailureRecords | null;
}

/** Actions that require a write. */
const written: ReadonlySet<string> = new Set<NameLockoutAction>(['beginMinute', 'countFailure', 'reckonFromNow']);

/**
 * The effect of a sign-in on the lockout of its name. An expired lock is lifted first, and then the rules are asked
 * again.
 */
export function tryName({ users, lockouts }: Directory, { username, isRight, now }: Tried): TriedName {
  let records: FailureRecords = lockouts;
  let isChanged = false;
  for (;;) {
    const record = records.get(username) ?? noFailures;
    const { event, actions } = transitionOf(nameStepper, record.lockedUntil === 0 ? 'Open' : 'Locked', {
      now,
      asked: 'signIn',
      configured: users.has(username),
      record,
      otherRecords: otherRecords(records, username, now),
      passwordRight: known(isRight),
    });
    records = afterActions(records, actions, { name: username, now });
    // Expired records are dropped with the next write, and do not cause one.
    isChanged ||= actions.some((action) => written.has(action));
    if (event === 'lockEnded' || event === 'clockSetBack') continue;
    return { event, records: isChanged ? records : null };
  }
}
