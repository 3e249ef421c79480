import type { CloudConnectionSpec } from '../../crds/coreCloudConnection.ts';

/** The keys that the Secret of a connection must have, by provider. */
export const secretKeys = {
  Cloud: ['ACCESS_KEY_ID', 'ACCESS_SECRET_KEY'],
  ManagedDb: ['organization', 'token'],
} as const satisfies Record<CloudConnectionSpec['provider'], readonly string[]>;
