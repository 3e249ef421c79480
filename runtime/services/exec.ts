import { Context, type Effect } from 'effect';
import type { Name, ReadError } from './cluster/cluster.ts';

/** A command in a container of a pod. */
export interface Execution {
  readonly container: string;
  readonly command: readonly string[];
  /** Whether it has a terminal and reads stdin. */
  readonly interactive: boolean;
  /** Whether it reads stdin without a terminal. */
  readonly reads?: boolean;
}

/** The size of a terminal, in characters. */
export interface WindowSize {
  readonly cols: number;
  readonly rows: number;
}

/** How a command ended; `lost` when it never started or its end is unknown. */
export type ExecEnd = { readonly is: 'exited'; readonly code: number } | { readonly is: 'lost'; readonly why: string };

/** Receives the output and the end of a command, in order. */
export interface ExecListener {
  readonly output: (data: Buffer) => void;
  /** Called when writing may continue after `write` returned false. */
  readonly drained: () => void;
  /** Called once, and last. */
  readonly ended: (end: ExecEnd) => void;
}

/** The open streams of one command. Backpressure works in both directions. */
export interface ExecStream {
  /** Sets the listener; output waits until then. */
  readonly listen: (listener: ExecListener) => void;
  /** Returns false when no more should be written until `drained`. */
  readonly write: (data: Uint8Array) => boolean;
  readonly resize: (size: WindowSize) => void;
  /** Pauses or resumes the output. */
  readonly hold: (isHeld: boolean) => void;
  /** Detaches from the command; calls `ended` unless already called. */
  readonly close: () => void;
}

export interface ExecShape {
  /** Starts a command; its streams are open on success. */
  readonly open: (pod: Name, execution: Execution) => Effect.Effect<ExecStream, ReadError>;
}

/** Runs commands in containers of the cluster. */
export class Exec extends Context.Service<Exec, ExecShape>()('core/Exec') {}
