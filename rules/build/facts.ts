import type { BuildState } from '../../machines/names.ts';
import type { Fact } from '../fact.ts';
import type { CheckRun, GitAnswer } from '../gitAnswer.ts';
import type { Blocker } from './blockers.ts';
import type { PushesKept, DeliveredPush } from './pushes.ts';

/**
 * The builder Job of a build as read from the cluster; `run` is the run it carries, empty for a Job that names none.
 */
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

/**
 * `settled`: no store, or the archived log is recorded; `archived`: the log is in the store; `gone`: it never will be.
 */
export type LogSeen = 'settled' | 'archived' | 'waiting' | 'gone';

export type ConnectionSeen = 'ready' | 'absent' | 'notReady' | 'noToken';

/** The command for a build; `what` names the push for the history. */
export type BuildAsked =
  | { readonly is: 'rebuild' }
  | { readonly is: 'cancel' }
  | ({
      readonly is: 'push';
      readonly what: string;
      /** The head known when the push was found; null for a delivered push. */
      readonly over: string | null;
    } & DeliveredPush);

/**
 * The facts of one pass over a build. Plain values come with the object; a `Fact` may cost a call. Secrets are never
 * included.
 */
export interface BuildFacts {
  readonly now: number;
  readonly asked: BuildAsked | null;
  /** The current state when it was written by another client; null when the newest recorded transition led to it. */
  readonly found: BuildState | null;
  /** `status.phase` as stored; empty before the first pass. */
  readonly phase: string;
  /** `status.startedAt`: names the claimed run. */
  readonly run: string | null;
  readonly cancelRequested: boolean;
  /** The state from which this pass resumes a reset. */
  readonly resetFrom: string | null;
  readonly registry: string;
  readonly context: string;
  readonly buildfile: string;
  readonly revision: string;
  readonly sourceRevision: string;
  /** The pushes recorded in the build. */
  readonly pushes: PushesKept;
  readonly waitForCI: boolean;
  readonly connectionRef: string;
  readonly connection: Fact<ConnectionSeen>;
  readonly commit: Fact<GitAnswer<string>>;
  readonly checks: Fact<ChecksSeen>;
  readonly job: Fact<JobSeen>;
  /** What blocks the run's Job or made it fail; null when nothing is known. */
  readonly hindrance: Blocker | null;
  /** The digest that this run's pod pushed, or null when it left none. */
  readonly digest: Fact<string | null>;
  readonly log: Fact<LogSeen>;
}
