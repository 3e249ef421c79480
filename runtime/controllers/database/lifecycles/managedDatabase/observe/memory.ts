import type { Counts } from '../../../../../../rules/verdict.ts';
import { lru } from '../../../../../services/lru.ts';
import type { IssuedLogin } from '../../../../../services/managedDb.ts';

/** The last answer of the provider about a database. */
export interface Heard {
  readonly found: string;
  readonly ready: boolean;
  readonly failure: string;
  readonly weight: Counts;
}

export const nothingHeard: Heard = { found: '', ready: false, failure: '', weight: 'waiting' };

const kept = 10_000;

/** Memory of this process: provider answers by uid, for messages, and passwords not stored yet. */
export interface ManagedMemory {
  readonly heard: (uid: string) => Heard;
  readonly hear: (uid: string, heard: Heard) => void;
  readonly issued: Map<string, IssuedLogin>;
}

export function managedMemory(): ManagedMemory {
  const answers = lru<Heard>(kept);
  return {
    heard: (uid) => answers.get(uid) ?? nothingHeard,
    hear: (uid, heard) => answers.set(uid, heard),
    issued: new Map(),
  };
}
