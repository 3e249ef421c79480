import { isApiFailure } from '../failure.ts';
import { inTurns } from '../inTurns.ts';

/** Requests at a time: as many as the connections that are kept open. */
export const atATime = 8;

/** Reads the status of listed services, in their order; null for one that was deleted after it was listed. */
export const statusesOf = <T>(
  names: readonly string[],
  readStatus: (name: string) => Promise<T>,
): Promise<readonly (T | null)[]> =>
  inTurns(names, atATime, async (name) => {
    try {
      return await readStatus(name);
    } catch (error) {
      if (isApiFailure(error) && error.status === 404) return null;
      throw error;
    }
  });
