/** The values of an object store's `status.phase`. */
export const objectStorePhases = ['Draft', 'Provisioning', 'Ready', 'ProvisionFailed', 'Deleting'] as const;
