import { Context, type Effect } from 'effect';
import type { DnsRecord } from '../../../rules/dnsProviderReady/records.ts';
import type { RecordContent, Route } from '../../../rules/dnsProviderReady/wanted.ts';
import type { Zone } from '../../../rules/dnsProviderReady/zone.ts';
import type { GitAnswer } from '../../../rules/gitAnswer.ts';

export type { DnsRecord, RecordContent, Route, Zone };

/** The provider's answer: a value, a refusal, no response, or a rate limit. */
export type ProviderAnswer<A> = GitAnswer<A>;

/** The credentials in the Secret of `spec.dnsConnectionRef`. */
export interface ProviderLogin {
  readonly apiToken: string;
  readonly accountId: string;
}

export interface Tunnel {
  readonly id: string;
  /** Whether an agent is connected. */
  readonly connected: boolean;
}

type FromProvider<A> = Effect.Effect<ProviderAnswer<A>>;

/** A DNS provider that also publishes by tunnels (002 Authentication: it edits DNS in a zone and tunnels in an account). */
export interface DnsProviderShape {
  readonly zones: (login: ProviderLogin) => FromProvider<readonly Zone[]>;
  readonly records: (login: ProviderLogin, zone: string) => FromProvider<readonly DnsRecord[]>;
  readonly createRecord: (login: ProviderLogin, zone: string, record: RecordContent) => FromProvider<string>;
  readonly changeRecord: (login: ProviderLogin, zone: string, record: DnsRecord) => FromProvider<string>;
  readonly removeRecord: (login: ProviderLogin, zone: string, id: string) => FromProvider<string>;
  /** The existing tunnels of a name. */
  readonly tunnels: (login: ProviderLogin, name: string) => FromProvider<readonly Tunnel[]>;
  readonly createTunnel: (login: ProviderLogin, name: string) => FromProvider<string>;
  readonly tunnelToken: (login: ProviderLogin, tunnel: string) => FromProvider<string>;
  readonly publishRoutes: (login: ProviderLogin, tunnel: string, routes: readonly Route[]) => FromProvider<string>;
}

export class DnsProvider extends Context.Service<DnsProvider, DnsProviderShape>()('core/DnsProvider') {}
