/** How long the deletion of a logical database waits for the drop (001 Limits). */
export const logicalDatabaseLimits = { dropMs: 180_000 } as const;
export type LogicalDatabaseLimits = Readonly<Record<keyof typeof logicalDatabaseLimits, number>>;
