import type { CoreApp } from '../../../crds/coreApp.ts';
import { askedHostOf } from '../../../rules/service/hosts.ts';
import type { CorePlatformConfig } from '../../../crds/corePlatformConfig.ts';
import { systemNamespace } from '../../../crds/names.ts';
import { publicIPs } from '../../../rules/cluster/nodes.ts';
import { type PublicHost, type Publishing, tunnelHostname } from '../../../rules/dnsProviderReady/wanted.ts';
import { addressIn } from '../../../rules/domain/address.ts';
import { dashboardPort, dashboardService } from '../../../rules/domain/ingress.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import { isOfMachine } from '../../../rules/service/machineHosts.ts';
import { wakeAddress } from '../../../rules/service/wake.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { apps } from '../../services/cluster/kinds.ts';
import { specOf } from '../../../rules/service/deployed.ts';
import { publicHostOf, plannedWake } from '../app/read.ts';
import { clusterNodes } from '../capacity.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/** The fields of a service that publishing reads: its host, the namespace of its pods, and whether it may sleep. */
export const publishedRead = (app: CoreApp): unknown => {
  const spec = specOf(app);
  const { project, environment, replicas, scaleToZero, autoscaling } = spec;
  const host = askedHostOf({ metadata: app.metadata, spec });
  return [app.metadata.deletionTimestamp, host, project, environment, replicas, scaleToZero, autoscaling];
};

/** The hosts that lead to services, by name: to the wake proxy when one may sleep (PLC-042). */
function serviceHosts(reader: CacheReader): readonly PublicHost[] {
  const hosts = reader.list(apps).flatMap((app): readonly PublicHost[] => {
    const spec = specOf(app);
    const host = !isDeleting(app) ? publicHostOf(app, spec, reader) : '';
    // A host of the machine is published by the machine alone.
    if (host === '' || isOfMachine(host)) return [];
    const { name } = app.metadata;
    const service = plannedWake(app, spec, reader).led
      ? wakeAddress(name, spec)
      : `http://${name}.${namespaceOf(spec.project, spec.environment)}.svc:80`;
    return [{ host, service }];
  });
  return hosts.toSorted((a, b) => (a.host < b.host ? -1 : 1));
}

/** Whether the tunnel's hostname was set manually, for an external tunnel (PLC-017). */
export function isOwnTunnel({ spec, status }: CorePlatformConfig): boolean {
  const { tunnelCNAMETarget: target = '' } = spec;
  const ours = [status?.dnsProvider?.target, status?.tunnelID && tunnelHostname(status.tunnelID)];
  return target !== '' && !ours.includes(target);
}

/** What is to be published; through the tunnel of this id, if the platform has one. */
export function publishingOf(config: CorePlatformConfig, reader: CacheReader, tunnelID: string): Publishing {
  const { root, host } = addressIn(config);
  const service = `http://${dashboardService}.${systemNamespace}.svc:${dashboardPort}`;
  const { dashboardExposure, tunnelCNAMETarget = '' } = config.spec;
  const managed = tunnelID === '' ? '' : tunnelHostname(tunnelID);
  return {
    root,
    hosts: [...(root === '' ? [] : [{ host, service }]), ...serviceHosts(reader)],
    tunnel: dashboardExposure === 'tunnel' ? (isOwnTunnel(config) ? tunnelCNAMETarget : managed) : null,
    publicIPs: publicIPs(reader.list(clusterNodes)),
    comment: `core ${config.metadata.uid ?? ''}`,
  };
}
