import { join, posix } from 'node:path';

/** A folder of this machine where a container sees one of its own. */
export interface BoundFolder {
  readonly path: string;
  readonly from: string;
}

/** A container that the node runs itself, as part of its own process. */
export interface NodeRun {
  /** The command of the container followed by its arguments. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folders: readonly BoundFolder[];
  /** Takes a line of the log as it comes. */
  readonly say: (line: string) => void;
  /** Aborted when the container must end. */
  readonly gone: AbortSignal;
}

export interface NodeRunEnd {
  readonly exitCode: number;
  /** What the container wrote to its termination log. */
  readonly message: string;
}

export type NodeRunner = (run: NodeRun) => Promise<NodeRunEnd>;

/** The exit code of a container that was killed. */
export const killedCode = 137;

/** Where a path of the container lies on this machine, and in which folder; null where nothing is bound. */
export function boundPath(
  folders: readonly BoundFolder[],
  path: string,
): { readonly folder: string; readonly path: string } | null {
  const wanted = posix.normalize(path);
  const found = folders
    .filter(({ path: bound }) => wanted === bound || wanted.startsWith(`${bound.replace(/\/$/, '')}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  return found ? { folder: found.from, path: join(found.from, posix.relative(found.path, wanted)) } : null;
}
