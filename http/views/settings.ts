import { platformConfigName } from '../../crds/corePlatformConfig.ts';
import { addressIn } from '../../rules/domain/address.ts';
import { recordsByHand } from '../../rules/domain/records.ts';
import { dashboardDomainLimits } from '../../rules/dashboardDomainReady/events.ts';
import { conditionOf } from '../../rules/condition.ts';
import { publicIPs } from '../../rules/cluster/nodes.ts';
import { dnsSecret, gitAppSecret, loginIn, registryKey, registrySecret } from '../../rules/platform.ts';
import { isoTime, msOf } from '../../rules/time.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { clusterNodes } from '../../runtime/controllers/node/read.ts';
import { clusters, platformConfigs } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import type { Settings } from '../routes/settings/shapes.ts';

type Config = ReturnType<typeof configIn>;
const configIn = (reader: CacheReader) => reader.get(platformConfigs, platformConfigName);

/** When an unverified domain times out, or did; empty while there is nothing to verify. */
function timesOutAt(config: Config): string {
  const since = config?.status?.domain?.pendingSince;
  if (since === undefined || conditionOf(config, 'DashboardDomainReady')?.status !== 'False') return '';
  return isoTime(msOf(since) + dashboardDomainLimits.pendingMs);
}

/** Why no certificates are issued, of the first cluster that says so. */
const issuerMessage = (reader: CacheReader): string =>
  reader
    .list(clusters)
    .map((cluster) => conditionOf(cluster, 'ClusterIssuerReady'))
    .find((condition) => condition?.status === 'False')?.message ?? '';

/** A Secret by its keys alone. */
function secretSeen(reader: CacheReader, name: string) {
  const secret = reader.get(secrets, name);
  return { name, found: secret !== undefined, keys: Object.keys(secret?.data ?? {}).toSorted() };
}

function registrySeen(reader: CacheReader, secret: string, repository = ''): Settings['registry'] {
  const { server, username, password } = loginIn(secretText(reader.get(secrets, secret), registryKey));
  return { repository, server, username, hasPassword: password !== '' };
}

const conditionsOf = (config: Config): Settings['conditions'] =>
  (config?.status?.conditions ?? []).map(
    ({ type, status, reason, message, observedGeneration = 0, lastTransitionTime }) => ({
      type,
      status,
      reason,
      message,
      observedGeneration,
      lastTransitionTime,
    }),
  );

/** The settings of the platform and the state of what they configure, for readers of the whole. */
export function settingsView(reader: CacheReader): Settings {
  const config = configIn(reader);
  const { registry, dnsConnectionRef, gitAppRef, ...spec } = config?.spec ?? { dashboardExposure: 'ingress' as const };
  const address = addressIn(config);
  const ips = publicIPs(reader.list(clusterNodes));
  const registryName = registry?.credentialRef?.name ?? registrySecret;
  return {
    spec: { ...spec, dnsConnected: dnsConnectionRef !== undefined },
    generation: config?.metadata.generation ?? 0,
    conditions: conditionsOf(config),
    domain: {
      ...address,
      publicIPs: ips,
      nextCheckAt: timesOutAt(config),
      records: config === undefined ? [] : recordsByHand(config, ips),
      issuer: issuerMessage(reader),
    },
    secrets: {
      dns: secretSeen(reader, dnsConnectionRef?.name ?? dnsSecret),
      registry: secretSeen(reader, registryName),
      gitApp: secretSeen(reader, gitAppRef?.name ?? gitAppSecret),
    },
    registry: registrySeen(reader, registryName, registry?.repository),
  };
}
