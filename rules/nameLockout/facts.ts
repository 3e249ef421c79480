import type { Fact } from '../fact.ts';

/** The failures of a name as they were counted; `failures` 0 where there is no record. */
export interface FailureRecord {
  /** When the first failure of the running minute was. */
  readonly since: number;
  readonly failures: number;
  /** 0 while the name is not locked. */
  readonly lockedUntil: number;
}

/** What is known when somebody signs in with a name, or when its lock is looked at. The password is never in it. */
export interface NameLockoutFacts {
  readonly now: number;
  readonly asked: 'signIn' | null;
  /** Whether a user of this name exists. */
  readonly configured: boolean;
  readonly record: FailureRecord;
  /** Records of other names that a write would keep. */
  readonly otherRecords: number;
  /** Costs the work of a hash, which an unknown name and a locked one cost too. */
  readonly passwordRight: Fact<boolean>;
}
