import type { Counts } from '../../../../../../rules/verdict.ts';
import { lru } from '../../../../../services/lru.ts';
import type { IssuedLogin } from '../../../../../services/managedDb.ts';

/** What the provider said of a database when it was last asked. */
export interface Heard {
  readonly found: string;
  readonly ready: boolean;
  readonly failure: string;
  readonly weight: Counts;
}

export const nothingHeard: Heard = { found: '', ready: false, failure: '', weight: 'waiting' };

const kept = 10_000;

/** What this process alone knows: answers of the provider by uid, for messages, and passwords that are not stored yet. */
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
