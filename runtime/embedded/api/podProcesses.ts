import type { Readable, Writable } from 'node:stream';
import type { Stored } from '../store.ts';

export interface WindowSize {
  readonly rows: number;
  readonly columns: number;
}

/** What a process reads and writes, and who looks on. */
export interface Stdio {
  /** Null when the client sends nothing. */
  readonly stdin: Readable | null;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly tty: boolean;
  /** The last size received; null before the first. */
  readonly size: () => WindowSize | null;
  readonly onResize: (heard: (size: WindowSize) => void) => void;
  /** Aborted when nobody is there any more. */
  readonly gone: AbortSignal;
}

/** How a process came to its end; `failed` when it never began or was lost. */
export type Exit = { readonly is: 'exited'; readonly code: number } | { readonly is: 'failed'; readonly why: string };

/** Where processes in containers run. */
export interface PodProcesses {
  readonly exec: (pod: Stored, container: string, asked: Execution) => Promise<Exit>;
  /** Joins the process that the container runs. */
  readonly attach: (pod: Stored, container: string, stdio: Stdio) => Promise<Exit>;
}

export interface Execution {
  readonly command: readonly string[];
  readonly stdio: Stdio;
}

const nowhere = async (): Promise<Exit> => ({ is: 'failed', why: 'no node runs containers here' });

/** Without nodes nothing runs. */
export const noProcesses: PodProcesses = { exec: nowhere, attach: nowhere };
