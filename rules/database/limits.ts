/** The limits of a database. */
export const databaseLimits = {
  finalBackupMs: 600_000,
  storageWaitMs: 900_000,
  haNodes: 3,
  haInstances: 3,
} as const;

export type DatabaseLimits = Readonly<Record<keyof typeof databaseLimits, number>>;

/** Ready while the first pod waits for its storage; after `storageWaitMs` that is counted as a failure. */
export const storageStarting = 'Storage is starting';
