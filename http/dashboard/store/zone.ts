import { persisted } from './persisted.ts';

export const zones = ['local', 'utc'] as const;
export type Zone = (typeof zones)[number];

/** The zone of every time on every page: the reader's own, or UTC. */
export const zone = persisted<Zone>('core-zone', zones, 'local');
