import type { Fact } from '../fact.ts';

/** The caller: a role of a session or a workspace token, or a project token whatever its role. */
export type ConsoleCaller = 'admin' | 'viewer' | 'observer' | 'projectToken';

/** The pod that a terminal is requested for; `noneRuns` when the service has no running pod. */
export type ConsolePodSeen = 'noneRuns' | 'notRunning' | 'foreign' | 'running';

/** The facts of one decision about a console session. */
export interface ConsoleSessionFacts {
  readonly now: number;
  readonly asked: 'create' | 'attach' | 'endTerminal' | 'endStream' | null;
  readonly caller: ConsoleCaller;
  /** True when the request carries a cookie, so that its origin matters. */
  readonly byCookie: boolean;
  readonly originMatches: boolean;
  /** Both a pod and a container were named. */
  readonly targetNamed: boolean;
  readonly pod: ConsolePodSeen;
  readonly commandWords: number;
  /** How long this attach has waited for the session to start. */
  readonly attachWaitedMs: number;
  /** `spec.timeoutSeconds` as stored. */
  readonly timeoutSeconds: number | null;
  /** `status.startedAt`. */
  readonly startedAt: number | null;
  /** Whether the process that `status.terminal` names still runs. */
  readonly holder: Fact<'alive' | 'dead'>;
}

/** The request facts of a pass without a request. */
export const noRequest = {
  caller: 'observer',
  byCookie: false,
  originMatches: true,
  targetNamed: false,
  pod: 'noneRuns',
  commandWords: 0,
  attachWaitedMs: 0,
} as const satisfies Partial<ConsoleSessionFacts>;
