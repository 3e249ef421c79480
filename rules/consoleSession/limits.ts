/** The limits of a console session. */
export const consoleSessionLimits = {
  timeoutMinSeconds: 1,
  timeoutMaxSeconds: 900,
  timeoutDefaultSeconds: 300,
  commandMinWords: 1,
  commandMaxWords: 8,
  attachWaitMs: 10_000,
  clocksDifferMs: 60_000,
} as const;

export type ConsoleSessionLimits = Readonly<Record<keyof typeof consoleSessionLimits, number>>;
