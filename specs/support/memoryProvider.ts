import { Effect } from 'effect';
import type {
  DnsProviderShape,
  DnsRecord,
  ProviderAnswer,
  ProviderLogin,
  RecordContent,
  Route,
  Tunnel,
  Zone,
} from '../../runtime/services/dns/provider.ts';

type Refusal = Exclude<ProviderAnswer<never>, { readonly is: 'found' }>;

/** A DNS provider in memory; a test changes it as it goes. */
export interface MemoryProvider extends DnsProviderShape {
  zonesSeen: readonly Zone[];
  /** The token that it accepts. */
  token: string;
  readonly recordsOf: Map<string, readonly DnsRecord[]>;
  tunnelsSeen: readonly (Tunnel & { readonly name: string })[];
  readonly routesOf: Map<string, readonly Route[]>;
  /** What it answers instead, to the calls whose text this holds of. */
  refuses: (call: string) => Refusal | null;
  /** Every call, in words. */
  readonly calls: string[];
  /** Those of them that change something. */
  readonly changes: () => readonly string[];
}

const reads = /^(zones|records|tunnels|token)\b/;

/** The errors of the API for a record that stands already: no two of a name may be a CNAME and something else. */
const taken: Refusal = { is: 'refused', code: 400, status: 'HTTP 400 An A, AAAA, or CNAME record exists (81053)' };

/** No two tunnels of an account have one name. */
const tunnelTaken: Refusal = {
  is: 'refused',
  code: 409,
  status: 'HTTP 409 You already have a tunnel with this name (1013)',
};

export function memoryProvider(): MemoryProvider {
  let ids = 0;
  let tunnels = 0;
  const found = <A>(value: A): ProviderAnswer<A> => ({ is: 'found', value });
  const answering = <A>(login: ProviderLogin, call: string, run: () => ProviderAnswer<A>) =>
    Effect.sync((): ProviderAnswer<A> => {
      provider.calls.push(call);
      const refusal = provider.refuses(call);
      if (refusal) return refusal;
      if (login.apiToken !== provider.token) return { is: 'refused', code: 403, status: 'HTTP 403 Forbidden' };
      return run();
    });
  const of = (zone: string) => provider.recordsOf.get(zone) ?? [];
  const set = (zone: string, records: readonly DnsRecord[]) => void provider.recordsOf.set(zone, records);
  const clashes = (one: RecordContent, other: RecordContent) =>
    one.name === other.name && (one.type === 'CNAME' || other.type === 'CNAME' || one.content === other.content);

  const provider: MemoryProvider = {
    zonesSeen: [{ id: 'zone-1', name: 'example.org' }],
    token: 'token-of-the-provider',
    recordsOf: new Map(),
    tunnelsSeen: [],
    routesOf: new Map(),
    refuses: () => null,
    calls: [],
    changes: () => provider.calls.filter((call) => !reads.test(call)),

    zones: (login) => answering(login, 'zones', () => found(provider.zonesSeen)),
    records: (login, zone) => answering(login, `records ${zone}`, () => found(of(zone))),
    createRecord: (login, zone, record) =>
      answering(login, `create ${record.type} ${record.name} ${record.content}`, () => {
        if (of(zone).some((one) => clashes(record, one))) return taken;
        const id = `record-${++ids}`;
        set(zone, [...of(zone), { ...record, id }]);
        return found(id);
      }),
    changeRecord: (login, zone, record) =>
      answering(login, `change ${record.type} ${record.name} ${record.content}`, () => {
        set(
          zone,
          of(zone).map((one) => (one.id === record.id ? record : one)),
        );
        return found(record.id);
      }),
    removeRecord: (login, zone, id) =>
      answering(login, `remove ${of(zone).find((one) => one.id === id)?.name ?? id}`, () => {
        set(
          zone,
          of(zone).filter((one) => one.id !== id),
        );
        return found(id);
      }),
    tunnels: (login, name) =>
      answering(login, `tunnels ${name}`, () => found(provider.tunnelsSeen.filter((one) => one.name === name))),
    createTunnel: (login, name) =>
      answering(login, `create tunnel ${name}`, () => {
        if (provider.tunnelsSeen.some((one) => one.name === name)) return tunnelTaken;
        const id = `tunnel-${++tunnels}`;
        provider.tunnelsSeen = [...provider.tunnelsSeen, { id, name, connected: false }];
        return found(id);
      }),
    tunnelToken: (login, id) => answering(login, `token ${id}`, () => found(`token-of-${id}`)),
    publishRoutes: (login, id, routes) =>
      answering(login, `publish ${routes.length} routes`, () => {
        provider.routesOf.set(id, routes);
        return found(id);
      }),
  };
  return provider;
}
