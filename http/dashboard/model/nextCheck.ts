import type { Check } from '../../../rules/nextCheck.ts';
import type { Instance } from '../../api.ts';

/** The announced check of an instance; null where none is announced. */
export const checkOf = ({ nextCheckAt, checkEveryMs }: Pick<Instance, 'nextCheckAt' | 'checkEveryMs'>): Check | null =>
  typeof nextCheckAt === 'string' ? { at: nextCheckAt, everyMs: checkEveryMs } : null;
