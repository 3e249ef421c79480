import { isApiFailure } from '../failure.ts';
import { inTurns } from '../inTurns.ts';

/** Requests at a time: as many as the connections that are kept open. */
const atATime = 8;

/** Reads something of each name, in their order. */
export const readAll = <T>(names: readonly string[], readOne: (name: string) => Promise<T>): Promise<readonly T[]> =>
  inTurns(names, atATime, readOne);

/** The same of what was listed; null for what was deleted since. */
export const readListed = <T>(
  names: readonly string[],
  readOne: (name: string) => Promise<T>,
): Promise<readonly (T | null)[]> =>
  readAll(names, async (name) => {
    try {
      return await readOne(name);
    } catch (error) {
      if (isApiFailure(error) && error.status === 404) return null;
      throw error;
    }
  });
