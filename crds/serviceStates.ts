/** The values of a service's `status.phase`. */
export const servicePhases = ['Draft', 'Provisioning', 'Ready', 'Asleep', 'ProvisionFailed', 'Deleting'] as const;
