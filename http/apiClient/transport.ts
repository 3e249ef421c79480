import type { IncomingMessage } from 'node:http';
import { proxyFor } from './proxy.ts';
import { type Outgoing, send, type Way } from './send.ts';

/** What carries the requests to one installation. */
export interface Transport {
  readonly send: (outgoing: Outgoing) => Promise<IncomingMessage>;
  readonly close: () => void;
}

/** Carries requests to an address. What opens connections is loaded with the first one: not every command sends any. */
export function makeTransport(address: URL, env: Readonly<Record<string, string | undefined>>): Transport {
  let way: Way | undefined;
  const open = async (): Promise<Way> => {
    const proxy = await proxyFor(address, env);
    const isSecure = address.protocol === 'https:' || proxy?.protocol === 'https:';
    way = isSecure
      ? (await import('./secureWay.ts')).secureWay(address, proxy)
      : (await import('./plainWay.ts')).plainWay(proxy);
    return way;
  };
  let opened: Promise<Way> | undefined;
  return {
    send: async (outgoing) => send(outgoing, await (opened ??= open())),
    close: () => way?.agent.destroy(),
  };
}
