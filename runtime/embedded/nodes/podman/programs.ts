import type { Writable } from 'node:stream';
import type { Container, Pod } from '../shapes.ts';
import type { Libpod } from './libpod.ts';
import type { OwnImages } from './ownImages.ts';

/** What of a node its programs are given. */
export interface NodeParts {
  readonly podman: Libpod;
  /** Tells what belongs to this data directory. */
  readonly owner: string;
  readonly bring: OwnImages['bring'];
}

/** A container whose image is a name of a program that the node runs itself. */
export interface ProgramRun {
  readonly pod: Pod;
  readonly container: Container;
  readonly words: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  /** Where a path of the container is on this machine; null where no volume is mounted over it. */
  readonly pathOf: (path: string) => string | null;
  /** The log of the container. */
  readonly log: Writable;
  /** Sets the termination message. */
  readonly leave: (message: string) => void;
  /** Aborted when the run is to end. */
  readonly gone: AbortSignal;
}

/** Runs a container in this process; resolves to its exit code. */
export type Program = (run: ProgramRun) => Promise<number>;

/** The programs that the node runs itself, by the image that names each. */
export type Programs = ReadonlyMap<string, Program>;
