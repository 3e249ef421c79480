import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import type { ExecStream } from '../services/exec.ts';

/**
 * Why a terminal ended: its command ended, its client left, the limit was reached, the server stops, or another process
 * took the session. `broken`: the streams, or this process's Lease, were lost.
 */
export type EndReason = 'exited' | 'left' | 'limit' | 'stopping' | 'taken' | 'broken';

/** One open terminal, for the part that has the client. */
export interface OpenTerminal {
  readonly session: CoreConsoleSession;
  readonly stream: ExecStream;
  /** Its time limit, in ms since the epoch. */
  readonly limitAt: number;
  /** Ends it; the first call sets the reason. */
  readonly end: (why: EndReason) => void;
  /** Called once, before anything is written about the end. */
  readonly onEnd: (listener: (why: EndReason) => void) => void;
}

/** A request for the terminal of a session. */
export interface AttachRequest {
  readonly session: string;
  /** Whether a session belongs to the object of the request. */
  readonly isOf: (session: CoreConsoleSession) => boolean;
  readonly byCookie: boolean;
  readonly originMatches: boolean;
  readonly by: string;
  /** The older streaming endpoint ends sessions with its own reason. */
  readonly endpoint: 'terminal' | 'stream';
  /** Whether a user types. */
  readonly interactive: boolean;
}

/** Why there is no terminal; `unavailable` and `full` say nothing about the session. */
export type AttachRefusal =
  | 'originRefused'
  | 'sessionMissed'
  | 'lateAttachRefused'
  | 'secondAttachRefused'
  | 'attachGivenUp'
  | 'targetUnfit'
  | 'execRefused'
  | 'unavailable'
  | 'full';

export type Attached =
  | { readonly is: 'open'; readonly terminal: OpenTerminal }
  | { readonly is: 'refused'; readonly why: AttachRefusal; readonly text: string };

export const refused = (why: AttachRefusal, text: string): Attached => ({ is: 'refused', why, text });
