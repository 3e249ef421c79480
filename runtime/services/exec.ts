import { Context, type Effect } from 'effect';
import type { Name, ReadError } from './cluster/cluster.ts';

/** A command in a container of a pod. */
export interface Execution {
  readonly container: string;
  readonly command: readonly string[];
  /** Whether it has a terminal, and reads what is written to it. */
  readonly interactive: boolean;
  /** Whether it reads what is written to it without a terminal. */
  readonly reads?: boolean;
}

/** The size of a terminal, in characters. */
export interface WindowSize {
  readonly cols: number;
  readonly rows: number;
}

/** How a command ended; `lost` when it never began, or nobody knows. */
export type ExecEnd = { readonly is: 'exited'; readonly code: number } | { readonly is: 'lost'; readonly why: string };

/** Receives what a command does, in order. */
export interface ExecListener {
  readonly output: (data: Buffer) => void;
  /** There is room again after a write that found none. */
  readonly drained: () => void;
  /** Called once, and last. */
  readonly ended: (end: ExecEnd) => void;
}

/** The open streams of one command. A reader that is slow, and a command that is, hold the other side back. */
export interface ExecStream {
  /** Until somebody listens, what comes waits. */
  readonly listen: (listener: ExecListener) => void;
  /** False when no more should be written until `drained`. */
  readonly write: (data: Uint8Array) => boolean;
  readonly resize: (size: WindowSize) => void;
  /** Whether output stays where it is. */
  readonly hold: (isHeld: boolean) => void;
  /** Leaves the command; `ended` is called if it was not yet. */
  readonly close: () => void;
}

export interface ExecShape {
  /** Starts a command; its streams stand when this succeeds. */
  readonly open: (pod: Name, execution: Execution) => Effect.Effect<ExecStream, ReadError>;
}

/** Commands in the containers of the cluster. */
export class Exec extends Context.Service<Exec, ExecShape>()('core/Exec') {}
