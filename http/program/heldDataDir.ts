import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import type { LogFields } from '../../runtime/services/log.ts';

/** Polled, because a watch on a folder reports neither a lost mount nor, on every system, its removal. */
const pollMs = 5_000;

/** The data directory of a running program. */
export interface HeldDataDir {
  /** What is wrong with it; null where nothing is. */
  readonly fault: () => string | null;
  readonly release: () => void;
}

/** Watches the folder at a path; its loss is logged once. */
export function holdDataDir(path: string, logError: (message: string, fields: LogFields) => void): HeldDataDir {
  // As long as it is open no other folder gets its number.
  const folder = openSync(path, 'r');
  const held = fstatSync(folder, { bigint: true });
  let isLogged = false;
  const isThere = (): boolean => {
    try {
      const { dev, ino, nlink } = statSync(path, { bigint: true });
      // A mounted folder that was removed keeps its name here, and has no links.
      return dev === held.dev && ino === held.ino && nlink > 0n;
    } catch {
      return false;
    }
  };
  const fault = (): string | null => {
    if (isThere()) return null;
    if (!isLogged) logError('data directory was removed', { path });
    isLogged = true;
    return 'the data directory was removed';
  };
  const timer = setInterval(fault, pollMs);
  timer.unref();
  return {
    fault,
    release: () => {
      clearInterval(timer);
      closeSync(folder);
    },
  };
}
