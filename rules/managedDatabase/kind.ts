import type { ManagedKind } from './facts.ts';

const kinds: ReadonlyMap<string, ManagedKind> = new Map([
  ['MySQL', 'mysql'],
  ['Postgres', 'postgresql'],
]);

/** The provider's kind for an engine, or null for an engine it does not host. */
export const managedKind = (engine: string): ManagedKind | null => kinds.get(engine) ?? null;
