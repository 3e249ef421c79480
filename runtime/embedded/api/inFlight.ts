import type { ServerResponse } from 'node:http';
import type { Attributes } from './authorization/attributes.ts';
import { tooManyRequests } from './status.ts';

type Response = Pick<ServerResponse, 'once'>;

/** The requests that are being answered. */
export interface InFlight {
  /** Counts a request until its response is sent or its client is gone; throws 429 where too many are counted. */
  readonly count: (asked: Attributes, isAdmin: boolean, response: Response) => void;
}

export interface InFlightLimits {
  readonly reads: number;
  readonly writes: number;
}

/** The defaults of kube-apiserver. */
export const limitsOfKubernetes: InFlightLimits = { reads: 400, writes: 200 };

const readVerbs: readonly string[] = ['get', 'list', 'watch', 'head', 'options'];
const longSubresources: readonly string[] = ['attach', 'exec', 'log', 'portforward', 'proxy'];

/** What goes on for as long as its client wants is not counted. */
const isLong = (asked: Attributes): boolean =>
  asked.verb === 'watch' || (asked.is === 'resource' && longSubresources.includes(asked.subresource));

/** Reads and writes are counted apart. An administrator is always answered, as by kube-apiserver. */
export function createInFlight(limits: InFlightLimits = limitsOfKubernetes): InFlight {
  const counted = { reads: 0, writes: 0 };
  return {
    count(asked, isAdmin, response) {
      if (isLong(asked)) return;
      const sort = readVerbs.includes(asked.verb) ? 'reads' : 'writes';
      if (counted[sort] >= limits[sort] && !isAdmin) throw tooManyRequests();
      counted[sort]++;
      response.once('close', () => counted[sort]--);
    },
  };
}
