import { Effect } from 'effect';
import type { CorePlatformConfig } from '../../../../../crds/corePlatformConfig.ts';
import { dashboardDomainReady as machine } from '../../../../../machines/dashboardDomainReady.ts';
import type { DashboardDomainReadyEvent, DashboardDomainReadyState } from '../../../../../machines/names.ts';
import { tables } from '../../../../../machines/tables.ts';
import { publicIPs } from '../../../../../rules/cluster/nodes.ts';
import { conditionOf } from '../../../../../rules/condition.ts';
import { dashboardDomainEvents } from '../../../../../rules/dashboardDomainReady/events.ts';
import type { DashboardDomainFacts, DnsSeen } from '../../../../../rules/dashboardDomainReady/facts.ts';
import { addressIn, visitedHost } from '../../../../../rules/domain/address.ts';
import { dashboardService } from '../../../../../rules/domain/ingress.ts';
import { dnsFound } from '../../../../../rules/domain/resolves.ts';
import { byState } from '../../../../../rules/engine.ts';
import { type Fact, known, unasked, unknown } from '../../../../../rules/fact.ts';
import { msOf } from '../../../../../rules/time.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { clusters } from '../../../../services/cluster/kinds.ts';
import { type Acting, type AnyLifecycle, lifecycle } from '../../../../contract/lifecycle.ts';
import { Cluster } from '../../../../services/cluster/cluster.ts';
import { Dns } from '../../../../services/dns/names.ts';
import { Probe } from '../../../../services/dns/probe.ts';
import { errorMessage } from '../../../../../rules/errorMessage.ts';
import { clusterNodes } from '../../../capacity.ts';
import { credentialsOf } from '../../observe/credentials.ts';
import { providerState } from '../dnsProviderReady/lifecycle.ts';
import { dashboardServices } from '../../kinds.ts';

type State = DashboardDomainReadyState;
const states: readonly string[] = Object.keys(machine.states);
export const domainState = ({ status }: CorePlatformConfig): State =>
  (states.find((state) => state === status?.domainState) ?? 'Unchecked') as State;

/** Whether a state waits for something besides the spec. */
export const isPending = (state: State): boolean => !['Unchecked', 'NoDomain', 'Verified'].includes(state);

function credentialsSeen(config: CorePlatformConfig, reader: CacheReader): DashboardDomainFacts['credentials'] {
  const { secret, found, missing } = credentialsOf(config, reader);
  if (secret === '') return 'notAsked';
  if (!found) return 'unavailable';
  return missing.length > 0 ? 'incomplete' : 'complete';
}

const issuerReason = (reader: CacheReader): string =>
  reader
    .list(clusters)
    .map((cluster) => conditionOf(cluster, 'ClusterIssuerReady'))
    .find((condition) => condition?.status === 'False')?.reason ?? '';

/** The facts without calls. */
export function domainFacts(config: CorePlatformConfig, reader: CacheReader, now: number) {
  const { root } = addressIn(config);
  const { domain, dnsProvider } = config.status ?? {};
  const { generation = 0 } = config.metadata;
  return {
    now,
    generation,
    checkedGeneration: domain?.generation ?? 0,
    pendingSince: domain?.pendingSince === undefined ? null : msOf(domain.pendingSince),
    rootDomain: root,
    host: root === '' ? '' : visitedHost(addressIn(config)),
    exposure: config.spec.dashboardExposure,
    tunnelHostname: config.spec.tunnelCNAMETarget ?? '',
    secret: credentialsOf(config, reader).secret,
    credentials: credentialsSeen(config, reader),
    serviceFound: reader.get(dashboardServices, dashboardService) !== undefined,
    issuerReason: issuerReason(reader),
    cause: domain?.cause ?? '',
    zone: known<'settled' | 'undecided'>(dnsProvider?.zone === 'undecided' ? 'undecided' : 'settled'),
  } as const;
}

/**
 * The DNS state by the provider's record, because a proxied name never resolves to the cluster; null without a
 * provider.
 */
function recordSeen(config: CorePlatformConfig): DnsSeen | null {
  const state = providerState(config);
  const { host: current } = addressIn(config);
  const { dashboardRecord = false, host = current, why: failed = '' } = config.status?.dnsProvider ?? {};
  if (state === 'Absent') return null;
  if (dashboardRecord && host === current) return { is: 'right' };
  if (state === 'CredentialsInvalid') return { is: 'recordRefused', why: 'the DNS provider refuses the credentials' };
  return failed === '' ? { is: 'recordAwaited' } : { is: 'recordRefused', why: failed };
}

function askDns(config: CorePlatformConfig, reader: CacheReader): Effect.Effect<Fact<DnsSeen>, never, Dns> {
  const { host } = addressIn(config);
  const ofRecord = recordSeen(config);
  if (ofRecord !== null) return Effect.succeed(known(ofRecord));
  if (config.spec.dashboardExposure === 'tunnel') return Effect.succeed(known({ is: 'right' }));
  return Effect.flatMap(Dns, (dns) => dns.resolve(host)).pipe(
    Effect.map((resolved) =>
      known(
        resolved.is === 'failed'
          ? { is: 'elsewhere', why: `DNS does not answer: ${resolved.why}` }
          : dnsFound(resolved.addresses, publicIPs(reader.list(clusterNodes))),
      ),
    ),
  );
}

/** Lists them directly, because the cache of a refused list is empty. */
const askNodes = ({ spec }: CorePlatformConfig): Effect.Effect<DashboardDomainFacts['nodes'], never, Cluster> =>
  spec.dashboardExposure === 'tunnel'
    ? Effect.succeed(known('notNeeded' as const))
    : Effect.flatMap(Cluster, (cluster) => cluster.list(clusterNodes, { limit: 1 })).pipe(
        Effect.as(known('listed' as const)),
        Effect.catch((failure): Effect.Effect<DashboardDomainFacts['nodes']> =>
          Effect.succeed(failure._tag === 'Refused' ? known('refused') : unknown(errorMessage(failure))),
        ),
      );

const isIn = (config: CorePlatformConfig): boolean => addressIn(config).root !== '';

/** The DNS result; omitted once the dashboard is reached. */
function dnsReport({ dns, probe }: DashboardDomainFacts) {
  if (probe.is === 'known' && probe.value.is === 'answers') return { dns: null, dnsWhy: null };
  if (dns.is !== 'known' || dns.value.is === 'recordAwaited') return {};
  return { dns: dns.value.is, dnsWhy: 'why' in dns.value ? dns.value.why : '' };
}

/** The result of the check, for the condition and for people. */
function report({ object, facts }: Acting<CorePlatformConfig, DashboardDomainFacts>) {
  const probe = facts.probe.is === 'known' ? facts.probe.value : null;
  return {
    domain: {
      ...object.status?.domain,
      generation: facts.generation,
      ...dnsReport(facts),
      ...(probe === null ? {} : { probeWhy: probe.is === 'silent' ? probe.why : '' }),
    },
  };
}

/** The condition DashboardDomainReady: whether the dashboard responds at its public address. */
export const domainLifecycle = (): AnyLifecycle =>
  lifecycle<CorePlatformConfig, DashboardDomainFacts, State, DashboardDomainReadyEvent['type']>({
    name: 'dashboardDomainReady',
    storage: 'status',
    machine,
    ...tables.dashboardDomainReady,
    rules: byState(dashboardDomainEvents),
    retrying: (config) => isPending(domainState(config)),
    read: domainState,
    write: (to) => ({ domainState: to }),
    shown: domainState,
    observe: (config, reader, { now }) => ({
      ...domainFacts(config, reader, now),
      probe: isIn(config) ? unasked : known({ is: 'silent', why: 'there is no domain' }),
      nodes: unasked,
      dns: unasked,
    }),
    ask: (fact, config, reader): Effect.Effect<Fact<unknown>, never, Cluster | Dns | Probe> => {
      if (fact === 'nodes') return askNodes(config);
      if (fact === 'dns') return askDns(config, reader);
      return Effect.flatMap(Probe, (probe) => probe.ask(visitedHost(addressIn(config)))).pipe(Effect.map(known));
    },
    actions: { report: { patch: report } },
    ensures: {},
  });
