import type { IncomingMessage } from 'node:http';
import { proxyFor } from './proxy.ts';
import type { Outgoing, Way } from './send.ts';

/** What carries the requests to one installation. */
export interface Transport {
  readonly send: (outgoing: Outgoing) => Promise<IncomingMessage>;
  readonly close: () => void;
}

/** Carries requests to an address. What opens connections is loaded with the first one: not every command sends any. */
export function makeTransport(address: URL, env: Readonly<Record<string, string | undefined>>): Transport {
  const proxy = proxyFor(address, env);
  let way: Way | undefined;
  const open = async () => {
    const [{ send }, { agentFor }] = await Promise.all([import('./send.ts'), import('./agents.ts')]);
    way = { agent: agentFor(address, proxy), proxy };
    return { send, way };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    send: async (outgoing) => {
      const { send, way: through } = await (opened ??= open());
      return send(outgoing, through);
    },
    close: () => way?.agent.destroy(),
  };
}
