import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { Effect } from 'effect';
import type { DnsShape, Resolved } from './names.ts';

/** A query without a response is retried after this time, twice. */
const answersWithinMs = 2_000;
const tries = 2;

/** Codes for a name, or an address family of it, that does not exist. */
const absent: readonly string[] = ['ENODATA', 'ENOTFOUND'];

/** A resolver over these servers, such as `192.0.2.53` or `192.0.2.53:5353`; empty for the system's. */
function resolverOf(servers: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: answersWithinMs, tries });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

async function addressesOf(resolver: Resolver, host: string): Promise<readonly string[]> {
  const none = (error: NodeJS.ErrnoException): readonly string[] => {
    if (absent.includes(error.code ?? '')) return [];
    throw error;
  };
  const [four, six] = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)]);
  return [...four, ...six];
}

const codeOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);

/** Resolves over DNS, ignoring the system's hosts file. */
export const dnsOver = (servers: readonly string[]): DnsShape => ({
  resolve: (host) =>
    Effect.promise(() =>
      addressesOf(resolverOf(servers), host).then(
        (addresses): Resolved => ({ is: 'found', addresses: addresses.toSorted() }),
        (error: unknown): Resolved => ({ is: 'failed', why: codeOf(error) }),
      ),
    ),
});

/** A lookup for connections by these servers; undefined for the system's. */
export function lookupOver(servers: readonly string[]): LookupFunction | undefined {
  if (servers.length === 0) return undefined;
  return (host, { all }, answer) => {
    const found = (addresses: readonly string[]) => {
      const [first] = addresses;
      if (first === undefined)
        return answer(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '');
      const entries = addresses.map((address) => ({ address, family: familyOf(address) }));
      return all === true ? answer(null, entries) : answer(null, first, familyOf(first));
    };
    addressesOf(resolverOf(servers), host).then(found, (error: NodeJS.ErrnoException) => answer(error, ''));
  };
}

const familyOf = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4);
