import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { clusterReviewer } from '../../runtime/services/reviewer.ts';
import { isLoopbackHost } from '../auth/address.ts';
import type { Protection } from './metrics.ts';
import type { HeldDataDir } from '../program/heldDataDir.ts';
import type { Settings } from '../program/settings.ts';
import { fromFiles, selfSigned } from './certificate.ts';
import { makeAuthorizer } from './authorizer.ts';

/** Plain on loopback, where only this machine can connect; elsewhere for callers that the cluster authorizes. */
export function protectionOf(
  { host, dataDir, metricsFiles }: Pick<Settings, 'host' | 'dataDir' | 'metricsFiles'>,
  cluster: Pick<ClusterShape, 'create'>,
  held: Pick<HeldDataDir, 'fault'>,
): Protection {
  if (isLoopbackHost(host.includes(':') ? `[${host}]` : host)) return { is: 'none' };
  const certificate = metricsFiles ? fromFiles(metricsFiles.cert, metricsFiles.key) : selfSigned(dataDir, host, held);
  return { is: 'cluster', certificate, authorize: makeAuthorizer(clusterReviewer(cluster), Date.now) };
}
