import type { BuildState } from '../../machines/names.ts';
import type { Fact } from '../fact.ts';
import type { CheckRun, GitAnswer } from '../gitAnswer.ts';
import type { Hindrance } from './hindrance.ts';
import type { PushesKept, PushTold } from './pushes.ts';

/** The builder Job of a build as it was seen; `run` is the run it carries, empty for a Job that names none. */
export type JobSeen =
  | { readonly is: 'absent' }
  | {
      readonly is: 'present';
      readonly run: string;
      readonly outcome: 'active' | 'failed' | 'succeeded';
      readonly failedPods: number;
    };

/** `notAwaited` when the build does not wait for checks. */
export type ChecksSeen = GitAnswer<readonly CheckRun[]> | { readonly is: 'notAwaited' };

/** `settled`: no store, or the archived log is recorded; `archived`: it is in the store; `gone`: it never will be. */
export type LogSeen = 'settled' | 'archived' | 'waiting' | 'gone';

export type ConnectionSeen = 'ready' | 'absent' | 'notReady' | 'noToken';

/** What is asked of a build; `what` was pushed, in the words of the history. */
export type BuildAsked =
  | { readonly is: 'rebuild' }
  | { readonly is: 'cancel' }
  | ({
      readonly is: 'push';
      readonly what: string;
      /** What was known of the branch by whoever found the push; null where it was delivered. */
      readonly over: string | null;
    } & PushTold);

/** What one pass of a build knows. Plain values come with the object; facts may cost a call. No secret is ever in it. */
export interface BuildFacts {
  readonly now: number;
  readonly asked: BuildAsked | null;
  /** The state that stands there where somebody else wrote it; null where the newest move led to it. */
  readonly found: BuildState | null;
  /** `status.phase` as stored; empty before the first pass. */
  readonly phase: string;
  /** `status.startedAt`: names the claimed run. */
  readonly run: string | null;
  readonly cancelRequested: boolean;
  /** The state this pass takes up a reset from. */
  readonly resetFrom: string | null;
  readonly registry: string;
  readonly context: string;
  readonly buildfile: string;
  readonly revision: string;
  readonly sourceRevision: string;
  /** What the build keeps of pushes. */
  readonly pushes: PushesKept;
  readonly waitForCI: boolean;
  readonly connectionRef: string;
  readonly connection: Fact<ConnectionSeen>;
  readonly commit: Fact<GitAnswer<string>>;
  readonly checks: Fact<ChecksSeen>;
  readonly job: Fact<JobSeen>;
  /** What stands in the way of the run's Job, or what it failed by; null where nothing is known to. */
  readonly hindrance: Hindrance | null;
  /** The digest this run's pod pushed, or null when it left none. */
  readonly digest: Fact<string | null>;
  readonly log: Fact<LogSeen>;
}
