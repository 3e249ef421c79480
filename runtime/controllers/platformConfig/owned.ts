import type { CorePlatformConfig } from '../../../crds/corePlatformConfig.ts';
import { addressIn } from '../../../rules/domain/address.ts';
import { ingressFor } from '../../../rules/domain/ingress.ts';
import { agentDeployment, ofTunnel, tokenSecretName } from '../../../rules/dnsProviderReady/tunnel.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { platformConfigs } from '../../services/cluster/kinds.ts';
import { makeOwned, owned, type Owned, type OwnedObject } from '../../owned/owned.ts';
import { isOwnTunnel } from './observe.ts';
import { systemNamespace } from '../../../crds/names.ts';

/** The owned objects that publish the dashboard: an Ingress, or the agent of a tunnel with its token. */
export const platformResources = (image: string): Owned<CorePlatformConfig> =>
  makeOwned({
    owners: platformConfigs,
    resources: [owned.ingresses, owned.deployments, owned.secrets],
    desired: (config, reader) => [...ingress(config), ...agent(config, reader, image)],
  });

function ingress(config: CorePlatformConfig): readonly OwnedObject[] {
  const { root, host } = addressIn(config);
  if (root === '' || config.spec.dashboardExposure === 'tunnel') return [];
  return [{ resource: owned.ingresses, object: ingressFor(host) }];
}

/** The tunnel of the agent; empty without an agent. */
const tunnelKept = (config: CorePlatformConfig): string => {
  const { dashboardExposure, dnsConnectionRef } = config.spec;
  const isManaged = dashboardExposure === 'tunnel' && dnsConnectionRef !== undefined && !isOwnTunnel(config);
  return isManaged ? (config.status?.tunnelID ?? '') : '';
};

/** The stored token of a tunnel; undefined when it is missing or of another tunnel. */
export function storedToken(tunnelID: string, reader: CacheReader) {
  const stored = reader.get(owned.secrets, tokenSecretName, systemNamespace);
  return stored?.metadata.annotations?.[ofTunnel] === tunnelID ? stored : undefined;
}

/** The agent starts once its token is stored; the token is kept as it is. */
function agent(config: CorePlatformConfig, reader: CacheReader, image: string): readonly OwnedObject[] {
  const tunnelID = tunnelKept(config);
  const token = tunnelID === '' ? undefined : storedToken(tunnelID, reader);
  if (!token) return [];
  const { name, namespace = systemNamespace } = token.metadata;
  const metadata = { name, namespace, annotations: { [ofTunnel]: tunnelID } };
  const kept = { apiVersion: 'v1', kind: 'Secret', metadata, data: token.data ?? {} };
  return [
    { resource: owned.secrets, object: kept },
    { resource: owned.deployments, object: agentDeployment(tunnelID, image) },
  ];
}
