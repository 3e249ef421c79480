/** The limits of a database. */
export const databaseLimits = {
  finalBackupMs: 600_000,
  storageWaitMs: 900_000,
  haNodes: 3,
  haInstances: 3,
} as const;

export type DatabaseLimits = Readonly<Record<keyof typeof databaseLimits, number>>;
