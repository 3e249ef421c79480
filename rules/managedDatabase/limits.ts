/** The limits of a managed database. */
export const managedDatabaseLimits = { startMs: 1_800_000, storeRetryMs: 30_000 } as const;

export type ManagedDatabaseLimits = Readonly<Record<keyof typeof managedDatabaseLimits, number>>;
