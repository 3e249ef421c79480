import type { ServerResponse } from 'node:http';

type Response = Pick<ServerResponse, 'writableLength' | 'destroy' | 'once' | 'destroyed'>;

/** What each caller holds open, and what of it was not taken yet. */
export interface OpenResponses {
  /** Counts a response of a caller until it closes. */
  readonly add: (caller: string, response: Response) => void;
  /** The same of a stream; false, and not counted, where the caller has as many as it may. */
  readonly addStream: (caller: string, response: Response) => boolean;
  /** Ends the slowest responses of a caller that has too much unsent over all of its connections. */
  readonly check: (caller: string) => void;
}

export interface OpenLimits {
  readonly mostStreams: number;
  readonly mostUnsent: number;
}

/** Over all connections of one caller. */
export const mostUnsent = 64 * 1024 * 1024;

interface Held {
  readonly responses: Set<Response>;
  readonly streams: Set<Response>;
}

export function createOpenResponses({ mostStreams, mostUnsent }: OpenLimits): OpenResponses {
  const callers = new Map<string, Held>();

  function heldBy(caller: string): Held {
    const known = callers.get(caller);
    if (known) return known;
    const held = { responses: new Set<Response>(), streams: new Set<Response>() };
    callers.set(caller, held);
    return held;
  }

  function check(caller: string): void {
    const responses = callers.get(caller)?.responses ?? [];
    let unsent = 0;
    for (const { writableLength } of responses) unsent += writableLength;
    if (unsent > mostUnsent) endSlowest([...responses], unsent);
  }

  function endSlowest(open: Response[], unsentOfAll: number): void {
    let unsent = unsentOfAll;
    while (unsent > mostUnsent) {
      const slowest = open.reduce((most, one) => (one.writableLength > most.writableLength ? one : most));
      unsent -= slowest.writableLength;
      open.splice(open.indexOf(slowest), 1);
      slowest.destroy();
    }
  }

  function add(caller: string, response: Response): void {
    const held = heldBy(caller);
    if (held.responses.has(response)) return;
    held.responses.add(response);
    response.once('close', () => {
      held.responses.delete(response);
      held.streams.delete(response);
      if (held.responses.size === 0) callers.delete(caller);
    });
    if (held.responses.size > 1) check(caller);
  }

  return {
    add,
    check,
    addStream(caller, response) {
      if (heldBy(caller).streams.size >= mostStreams) return false;
      add(caller, response);
      heldBy(caller).streams.add(response);
      return true;
    },
  };
}
