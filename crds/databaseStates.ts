/** Where a database stands, as `status.phase` says it. */
export const databasePhases = ['Draft', 'Provisioning', 'Ready', 'ProvisionFailed', 'FinalBackup', 'Deleting'] as const;

/** Whether the data of a database are safe, as `status.backup.state` says it. */
export const backupStates = ['NeedsStorage', 'Starting', 'Protected', 'AtRisk'] as const;

/** Where a database at its provider stands, as `status.managed.phase` says it. */
export const managedDatabasePhases = ['Refused', 'Starting', 'LoginIssued', 'Ready'] as const;
