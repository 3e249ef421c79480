import { Effect } from 'effect';
import type { CorePlatformConfig } from '../../../../../crds/corePlatformConfig.ts';
import type { ProviderSeen, Stage } from '../../../../../rules/dnsProviderReady/facts.ts';
import { isInPlace, type RecordChange, recordChanges } from '../../../../../rules/dnsProviderReady/records.ts';
import { tunnelName } from '../../../../../rules/dnsProviderReady/tunnel.ts';
import {
  type Publishing,
  recordsWanted,
  routesHash,
  routesWanted,
} from '../../../../../rules/dnsProviderReady/wanted.ts';
import { type Zone, zoneFor } from '../../../../../rules/dnsProviderReady/zone.ts';
import { addressIn } from '../../../../../rules/domain/address.ts';
import { isoTime } from '../../../../../rules/time.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { DnsProvider, type ProviderAnswer, type Tunnel } from '../../../../services/dns/provider.ts';
import { type Credentials, credentialsOf } from '../../observe/credentials.ts';
import { storedToken } from '../../owned.ts';
import { isOwnTunnel, publishingOf } from '../../observe.ts';

/** The state at the provider, and the record changes to make. */
export interface ProviderRead {
  readonly seen: ProviderSeen;
  readonly zoneID: string;
  readonly changes: readonly RecordChange[];
  /** The end of the provider's rate limit; null when not stated. */
  readonly until: number | null;
}

type Refusal = Exclude<ProviderAnswer<never>, { readonly is: 'found' }>;

/** Why the provider refused a request, as text. */
export function refusalText(refusal: Refusal): string {
  switch (refusal.is) {
    case 'refused':
      return `the DNS provider answers ${refusal.status}`;
    case 'limited':
      return `the DNS provider limits the rate until ${isoTime(refusal.until)}`;
    case 'silent':
      return `the DNS provider does not answer: ${refusal.why}`;
  }
}

const nothingSeen: ProviderSeen = {
  credentials: 'accepted',
  failure: null,
  due: [],
  stage: 'record',
  zone: null,
  tunnelID: '',
  routes: '',
  dashboardRecord: null,
};

const ending = (seen: Partial<ProviderSeen>, until: number | null = null): ProviderRead => ({
  seen: { ...nothingSeen, ...seen },
  zoneID: '',
  changes: [],
  until,
});
const untilOf = (refusal: Refusal): number | null => (refusal.is === 'limited' ? refusal.until : null);

const failed = (at: Stage, refusal: Refusal, seen: Partial<ProviderSeen> = {}): ProviderRead =>
  ending({ ...seen, failure: { at, why: refusalText(refusal) } }, untilOf(refusal));

const credentialCodes: ReadonlySet<number> = new Set([400, 401, 403]);

/** Reads the state at the provider, and what is due of the next stage. */
export const readProvider = Effect.fnUntraced(function* (
  config: CorePlatformConfig,
  reader: CacheReader,
): Effect.fn.Return<ProviderRead, never, DnsProvider> {
  const credentials = credentialsOf(config, reader);
  const provider = yield* DnsProvider;
  const zones = yield* provider.zones(credentials.login);
  const isTunnel = config.spec.dashboardExposure === 'tunnel';
  if (zones.is === 'refused' && credentialCodes.has(zones.code)) return ending({ credentials: 'refused' });
  if (zones.is !== 'found') return failed(isTunnel ? 'tunnel' : 'record', zones, { credentials: 'unknown' });

  const isManaged = isTunnel && !isOwnTunnel(config);
  const { seen: tunnel, until } = isManaged ? yield* readTunnel(config, reader, credentials) : ending({});
  if (tunnel.failure !== null || tunnel.due.length > 0) return ending(tunnel, until);
  return yield* readRecords({ config, reader, credentials, tunnel }, zones.value);
});

interface Reading {
  readonly config: CorePlatformConfig;
  readonly reader: CacheReader;
  readonly credentials: Credentials;
  /** The state of the tunnel, if there is one. */
  readonly tunnel: ProviderSeen;
}

/** Reads the records of the zone, and computes the changes. */
const readRecords = Effect.fnUntraced(function* (
  { config, reader, credentials, tunnel }: Reading,
  visible: readonly Zone[],
): Effect.fn.Return<ProviderRead, never, DnsProvider> {
  const { root, host } = addressIn(config);
  if (root === '') return ending({ ...tunnel, zone: 'none', dashboardRecord: false });
  const { zoneName, zones: allowed, login } = credentials;
  const choice = zoneFor({ root, zoneID: config.spec.dnsZoneID ?? '', zoneName, allowed, visible });
  if (choice.is !== 'settled') {
    const zone = choice.is === 'undecided' ? 'undecided' : 'settled';
    return ending({ ...tunnel, zone, failure: { at: 'record', why: choice.why } });
  }
  const provider = yield* DnsProvider;
  const records = yield* provider.records(login, choice.id);
  if (records.is !== 'found') return failed('record', records, { ...tunnel, zone: 'settled' });
  const publishing = publishingOf(config, reader, tunnel.tunnelID);
  const wanted = recordsWanted(publishing);
  // Without a ready node the target of hosts is unknown, so records are unchanged.
  const changes = hasAddress(publishing) ? recordChanges(wanted, records.value, publishing.comment) : [];
  const due = changes.filter(({ does }) => does !== 'nothing');
  const why = blockerOf(publishing, changes);
  return {
    seen: {
      ...tunnel,
      zone: 'settled',
      // Possible writes are made before a failure is reported.
      failure: due.length === 0 && why !== '' ? { at: 'record', why } : null,
      due: due.map(({ does, name }) => `${does} ${name}`),
      stage: 'record',
      dashboardRecord: hasAddress(publishing) ? isInPlace(host, wanted, changes) : null,
    },
    zoneID: choice.id,
    changes: due,
    until: null,
  };
});

const hasAddress = ({ tunnel, publicIPs }: Publishing): boolean => tunnel !== null || publicIPs.length > 0;

/** Why a record cannot be written; empty when all can. */
function blockerOf(publishing: Publishing, changes: readonly RecordChange[]): string {
  if (!hasAddress(publishing)) return 'the cluster has no public IP';
  return changes.flatMap((change) => (change.does === 'nothing' ? [change.why] : []))[0] ?? '';
}

/** Reads the platform's tunnel up to its next stage: tunnel, token, routes. */
const readTunnel = Effect.fnUntraced(function* (
  config: CorePlatformConfig,
  reader: CacheReader,
  { login }: Credentials,
): Effect.fn.Return<ProviderRead, never, DnsProvider> {
  const provider = yield* DnsProvider;
  const tunnels = yield* provider.tunnels(login, tunnelName);
  if (tunnels.is !== 'found') return failed('tunnel', tunnels);
  const known = config.status?.tunnelID ?? '';
  const found = tunnelFor(tunnels.value, known);
  if (found === 'taken')
    return ending({ failure: { at: 'tunnel', why: `a tunnel "${tunnelName}" that Core did not make is in use` } });
  if (found === null) return ending({ due: [`create the tunnel ${tunnelName}`], stage: 'tunnel' });
  const tunnelID = found.id;
  if (storedToken(tunnelID, reader) === undefined)
    return ending({ tunnelID, due: ['store the token'], stage: 'token' });
  const routes = routesHash(routesWanted(publishingOf(config, reader, tunnelID)));
  const sent = config.status?.tunnelID === tunnelID ? (config.status.dnsProvider?.routes ?? '') : '';
  return ending({ tunnelID, routes, ...(sent === routes ? {} : { due: ['publish the routes'], stage: 'routes' }) });
});

/** The platform's own tunnel, or an unused one that was created before a crash. */
function tunnelFor(tunnels: readonly Tunnel[], known: string): Tunnel | 'taken' | null {
  const own = tunnels.find(({ id }) => id === known) ?? tunnels.find(({ connected }) => !connected);
  if (own) return own;
  return tunnels.length === 0 ? null : 'taken';
}
