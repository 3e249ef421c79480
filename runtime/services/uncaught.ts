import type { Uncaught } from '../embedded/index.ts';
import { logLine } from './log.ts';

export type UncaughtFrom = Uncaught['from'];

/** Logs an uncaught error, and counts it. */
export const uncaughtTo =
  (count: (from: UncaughtFrom) => void) =>
  ({ from, fields }: Uncaught): void => {
    logLine('error', 'uncaught error', fields);
    count(from);
  };
