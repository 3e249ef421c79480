import { type CorePlatformConfig, platformConfigName } from '../../../crds/corePlatformConfig.ts';
import { type Condition, conditionOf, withCondition } from '../../../rules/condition.ts';
import type { DashboardDomainFacts, DnsSeen } from '../../../rules/dashboardDomainReady/facts.ts';
import { dashboardDomainVerdicts } from '../../../rules/dashboardDomainReady/ready.ts';
import type { Stage } from '../../../rules/dnsProviderReady/facts.ts';
import { dnsProviderVerdicts } from '../../../rules/dnsProviderReady/ready.ts';
import { tunnelHostname } from '../../../rules/dnsProviderReady/wanted.ts';
import { known } from '../../../rules/fact.ts';
import { msOf } from '../../../rules/time.ts';
import { readOut } from '../../../rules/verdict.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { apps, clusters, platformConfigs } from '../../services/cluster/kinds.ts';
import type { Fields } from '../../contract/lifecycle.ts';
import { dataOf, everyChange, specRead } from '../../contract/reads.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { owned } from '../../owned/owned.ts';
import type { Resource } from '../../services/cluster/cluster.ts';
import { interceptorRoutes, scaledObjects } from '../../owned/addonKinds.ts';
import { wakeDefinitions } from '../app/read.ts';
import { nodeRead } from '../node/read.ts';
import { clusterNodes } from '../capacity.ts';
import { credentialsOf } from './observe/credentials.ts';
import { domainFacts, domainLifecycle, domainState, isPending } from './lifecycles/dashboardDomainReady/lifecycle.ts';
import { platformResources } from './owned.ts';
import { providerFacts, providerLifecycle, providerState } from './lifecycles/dnsProviderReady/lifecycle.ts';
import { isOwnTunnel, publishedRead } from './observe.ts';
import { dashboardServices } from './kinds.ts';
import { type Controller, controller, type Deriving, watching } from '../../contract/controller.ts';

/** CorePlatformConfig: publishes dashboard and services under the domain, and checks that the dashboard responds. */
export function platformController(tunnelImage: string): Controller {
  const ownedResources = platformResources(tunnelImage);
  const itself = () => [platformConfigName];
  return controller<CorePlatformConfig>({
    resource: platformConfigs,
    // Other objects of the kind are ignored (decision 101).
    owns: (name) => name === platformConfigName,
    lifecycles: [providerLifecycle(ownedResources), domainLifecycle()],
    watches: [
      ...ownedResources.watches,
      watching({
        resource: secrets,
        reads: dataOf,
        concerns: ({ metadata }, reader) => {
          const config = reader.get(platformConfigs, platformConfigName);
          return config && credentialsOf(config, reader).secret === metadata.name ? itself() : [];
        },
      }),
      watching({ resource: apps, reads: publishedRead, concerns: itself }),
      // For whether a service sleeps, which decides the target of its requests.
      ...[...wakeDefinitions, interceptorRoutes, scaledObjects, owned.autoscalers, owned.services].map(
        (resource: Resource) => watching({ resource, reads: everyChange, concerns: itself }),
      ),
      watching({ resource: clusters, reads: specRead, concerns: itself }),
      watching({ resource: clusterNodes, reads: nodeRead, concerns: itself }),
      // Only its existence matters.
      watching({ resource: dashboardServices, reads: () => null, concerns: itself }),
    ],
    derive,
    defaults,
    ensures: {
      pieces: { run: (given) => ownedResources.ensure.run(given), schedule: { firstMs: 5_000, maxMs: 300_000 } },
      settled: ownedResources.settled,
    },
    onMissing: ownedResources.sweep,
  });
}

/** The hostname of the platform's tunnel in the spec: written once known, and removed with the connection. */
function defaults(config: CorePlatformConfig): Fields | null {
  const { spec, status } = config;
  const { tunnelCNAMETarget = '', dashboardExposure, dnsConnectionRef } = spec;
  const hostname = status?.tunnelID === undefined ? '' : tunnelHostname(status.tunnelID);
  if (isOwnTunnel(config)) return null;
  const isWanted = dashboardExposure === 'tunnel' && dnsConnectionRef !== undefined && hostname !== '';
  const wanted = isWanted ? hostname : '';
  if (wanted === tunnelCNAMETarget) return null;
  return { spec: { tunnelCNAMETarget: wanted === '' ? null : wanted } };
}

/** The facts of the last recorded check. */
function domainSeen(config: CorePlatformConfig, reader: CacheReader, now: string): DashboardDomainFacts {
  const { dns = 'right', dnsWhy = '', probeWhy = '' } = config.status?.domain ?? {};
  const seen: DnsSeen = dns === 'elsewhere' || dns === 'recordRefused' ? { is: dns, why: dnsWhy } : { is: 'right' };
  return {
    ...domainFacts(config, reader, msOf(now)),
    probe: known(probeWhy === '' ? { is: 'answers' } : { is: 'silent', why: probeWhy }),
    nodes: known('listed'),
    dns: known(seen),
  };
}

/** Derives both conditions by the reached states, and the start of a pending domain. */
function derive(config: CorePlatformConfig, { reader, now }: Deriving): Fields {
  const reached = domainState(config);
  const before = conditionOf(config, 'DashboardDomainReady');
  const timedOut = reached === 'VerificationTimedOut';
  const cause = timedOut ? (config.status?.domain?.cause ?? before?.message ?? '') : null;
  const seen = { ...domainSeen(config, reader, now), reached, cause: cause ?? '' };
  const conditions = withCondition(config, readOut('DashboardDomainReady', dashboardDomainVerdicts, seen), now);
  return {
    ...checked(config, {
      cause,
      pendingSince: isPending(reached) ? (config.status?.domain?.pendingSince ?? now) : null,
    }),
    ...target(config),
    conditions: withProvider({ ...config, status: { ...config.status, conditions } }, reader, now),
  };
}

/** The result of the last check, with these fields; null removes one. */
function checked(
  { status }: CorePlatformConfig,
  fields: Readonly<Record<'cause' | 'pendingSince', string | null>>,
): Fields {
  const given = Object.entries({ ...status?.domain, ...fields }).filter(([, value]) => value !== null);
  return given.length === 0 ? {} : { domain: Object.fromEntries(given) };
}

/** Records which hostname in the spec is set by Core. */
function target({ spec, status }: CorePlatformConfig): Fields {
  const { tunnelCNAMETarget: now } = spec;
  if (status?.tunnelID === undefined || now !== tunnelHostname(status.tunnelID)) return {};
  return status.dnsProvider === undefined ? {} : { dnsProvider: { ...status.dnsProvider, target: now } };
}

function withProvider(config: CorePlatformConfig, reader: CacheReader, now: string): readonly Condition[] {
  const reached = providerState(config);
  if (reached === 'Absent') return (config.status?.conditions ?? []).filter(({ type }) => type !== 'DnsProviderReady');
  const failedWhy = config.status?.dnsProvider?.why ?? '';
  const facts = {
    ...providerFacts(config, reader, { now: msOf(now), failure: null }),
    failure: failedWhy === '' ? null : { at: 'record' as Stage, why: failedWhy },
    limitedUntil: null,
    provider: { is: 'unasked' } as const,
    reached,
  };
  return withCondition(config, readOut('DnsProviderReady', dnsProviderVerdicts, facts), now);
}
