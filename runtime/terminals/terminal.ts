import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import type { ExecStream } from '../services/exec.ts';

/**
 * Why a terminal ends: its command did, its client left, the time is over, the server stops, or its session is no
 * longer its own. `broken`: the streams, or this process's Lease, were lost.
 */
export type EndReason = 'exited' | 'left' | 'limit' | 'stopping' | 'taken' | 'broken';

/** One open terminal, for the part that has the client. */
export interface OpenTerminal {
  readonly session: CoreConsoleSession;
  readonly stream: ExecStream;
  /** When its time is over, in ms since the epoch. */
  readonly limitAt: number;
  /** Ends it; whoever ends it first says why. */
  readonly end: (why: EndReason) => void;
  /** Called once, before anything is written about the end. */
  readonly onEnd: (listener: (why: EndReason) => void) => void;
}

/** A request for the terminal of a session. */
export interface AttachRequest {
  readonly session: string;
  /** Whether a session is one of what the request is about. */
  readonly isOf: (session: CoreConsoleSession) => boolean;
  readonly byCookie: boolean;
  readonly originMatches: boolean;
  readonly by: string;
  /** The older streaming endpoint ends its sessions with a reason of its own. */
  readonly endpoint: 'terminal' | 'stream';
  /** Whether there is somebody who types. */
  readonly interactive: boolean;
}

/** Why there is no terminal; `unavailable` and `full` are no verdict on the session. */
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
