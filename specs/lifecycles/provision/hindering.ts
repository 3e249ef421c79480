/** A message by its id, and whether it is waited for, counts as a failure, or ends provisioning at once. */
export interface Hindering {
  readonly id: string;
  readonly class: 'waiting' | 'counted' | 'permanent';
}

/** The message that applies, or null where nothing is in the way. */
export type Blocker = Hindering | null;

export const waiting = (id: string): Hindering => ({ id, class: 'waiting' });
export const counted = (id: string): Hindering => ({ id, class: 'counted' });
export const permanent = (id: string): Hindering => ({ id, class: 'permanent' });
