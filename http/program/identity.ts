import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * The name under which this process holds the leader's lease. Of an embedded cluster it is always the same: the lock of
 * the data directory holds no two processes, so a lease of that name is left over from one that is dead.
 */
export const leaseIdentity = (ground: 'embedded' | 'other'): string =>
  ground === 'embedded' ? 'embedded' : `${hostname()}_${randomUUID()}`;
