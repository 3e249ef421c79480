import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * The holder name of this process in the leader election lease. With an embedded cluster it is always the same: the
 * lock of the data directory admits one process, so a lease of that name was left by a dead one.
 */
export const leaseIdentity = (ground: 'embedded' | 'other'): string =>
  ground === 'embedded' ? 'embedded' : `${hostname()}_${randomUUID()}`;

/** The name of the Lease that shows other processes that this one holds its terminals. */
export const terminalLease = (): string => `core-terminals-${randomUUID()}`;

/** The name under which this process claims the deliveries that it sends. */
export const senderName = (): string => `core-webhooks-${randomUUID()}`;
