import type { Fact } from '../fact.ts';

/** The caller: a role of a session or a workspace token, or a project token whatever its role. */
type ConsoleCaller = 'admin' | 'viewer' | 'observer' | 'projectToken';

/** The pod that a terminal is requested for; `noneRuns` when the service has no running pod. */
export type ConsolePodSeen = 'noneRuns' | 'notRunning' | 'foreign' | 'running';

/** The parameters of a request, besides its command. */
export interface ConsoleRequest {
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
}

/**
 * The command of a process that has, or wants, the terminal of a session; `holder` is its name there, and `actor` the
 * user who attaches.
 */
export type ConsoleAsked =
  | ({ readonly is: 'create' } & Partial<ConsoleRequest>)
  | ({ readonly is: 'attach'; readonly holder: string; readonly actor: string } & Partial<ConsoleRequest>)
  | { readonly is: 'endTerminal' | 'endStream'; readonly holder: string };

/** The facts of one decision about a console session. */
export interface ConsoleSessionFacts extends ConsoleRequest {
  readonly now: number;
  readonly asked: ConsoleAsked | null;
  /** `spec.timeoutSeconds` as stored. */
  readonly timeoutSeconds: number | null;
  /** `status.startedAt`. */
  readonly startedAt: number | null;
  /** Whether the command comes from the holder in `status.terminal`. */
  readonly isHolder: boolean;
  /** Whether the process in `status.terminal` is alive. */
  readonly holder: Fact<'alive' | 'dead'>;
  /** Whether the pod of the session runs and belongs to the service, by a direct read. */
  readonly target: Fact<'fit' | 'unfit'>;
}

/** The request facts of a pass without a request. */
export const noRequest: ConsoleRequest = {
  caller: 'observer',
  byCookie: false,
  originMatches: true,
  targetNamed: false,
  pod: 'noneRuns',
  commandWords: 0,
  attachWaitedMs: 0,
};
