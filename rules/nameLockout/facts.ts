import type { Fact } from '../fact.ts';

/** The counted failures of a name; `failures` is 0 when there is no record. */
export interface FailureRecord {
  /** Time of the first failure in the current minute. */
  readonly since: number;
  readonly failures: number;
  /** 0 while the name is not locked. */
  readonly lockedUntil: number;
}

/** The facts when a user signs in with a name, or when its lock is checked. The password is never included. */
export interface NameLockoutFacts {
  readonly now: number;
  readonly asked: 'signIn' | null;
  /** Whether a user of this name exists. */
  readonly configured: boolean;
  readonly record: FailureRecord;
  /** Records of other names that a write would keep. */
  readonly otherRecords: number;
  /** Costs a hash computation, which unknown and locked names cost too. */
  readonly passwordRight: Fact<boolean>;
}
