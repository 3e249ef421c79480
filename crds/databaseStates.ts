/** The values of a database's `status.phase`. */
export const databasePhases = ['Draft', 'Provisioning', 'Ready', 'ProvisionFailed', 'FinalBackup', 'Deleting'] as const;

/** The values of `status.backup.state`: whether the data of a database are saved. */
export const backupStates = ['NeedsStorage', 'Starting', 'Protected', 'AtRisk'] as const;

/** The values of `status.managed.phase`, for a database at its provider. */
export const managedDatabasePhases = ['Refused', 'Starting', 'LoginIssued', 'Ready'] as const;
