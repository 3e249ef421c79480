import {
  type CorePlatformConfig,
  corePlatformConfig,
  type PlatformConfigSpec,
} from '../../../../crds/corePlatformConfig.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import { dashboardService } from '../../../../rules/domain/ingress.ts';
import { platformController } from '../../../../runtime/controllers/platformConfig/controller.ts';
import { clusterNodes } from '../../../../runtime/controllers/capacity.ts';
import { platformConfigs } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { startSession } from '../../../support/session.ts';
import { inSystem } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

export const publicIP = '198.51.100.7';
const encoded = (text: string) => Buffer.from(text).toString('base64');

/** Writes the settings as people do: fields that are null go. */
export function putConfig(
  { cluster }: TestEnvironment,
  spec: { [K in keyof PlatformConfigSpec]?: PlatformConfigSpec[K] | null },
) {
  const before = cluster.all(platformConfigs).find(({ metadata }) => metadata.name === 'platform');
  const merged = { dashboardExposure: 'ingress', ...before?.spec, ...spec };
  cluster.put(platformConfigs, {
    ...typeMeta(corePlatformConfig),
    metadata: { ...(before?.metadata ?? inSystem('platform')), generation: (before?.metadata.generation ?? 0) + 1 },
    spec: Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as PlatformConfigSpec,
    ...(before?.status === undefined ? {} : { status: before.status }),
  });
}

export const putSecret = ({ cluster }: TestEnvironment, name: string, data: Readonly<Record<string, string>>) =>
  void cluster.put(secrets, {
    metadata: inSystem(name),
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encoded(value)])),
  });

/** The credentials that the provider accepts. */
export const putCredentials = (environment: TestEnvironment, over: Readonly<Record<string, string>> = {}) =>
  putSecret(environment, 'platform-dns', { apiToken: environment.dnsProvider.token, accountId: 'account', ...over });

/** A node with a public address, and the Service in front of the dashboard. */
export function putGround({ cluster }: TestEnvironment): void {
  cluster.put(clusterNodes, {
    metadata: { name: 'a' },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'ExternalIP', address: publicIP }],
    },
  });
  cluster.put(owned.services, { metadata: inSystem(dashboardService) });
}

/** The platform's settings and the operator over them. */
export async function platformSession(
  spec: Partial<PlatformConfigSpec> = {},
  prepare: (environment: TestEnvironment) => void = putGround,
) {
  const session = await startSession<CorePlatformConfig>({
    resource: platformConfigs,
    name: 'platform',
    controllers: [platformController('agent-image')],
    prepare: (environment) => {
      prepare(environment);
      putConfig(environment, spec);
    },
  });
  const condition = (type: 'DashboardDomainReady' | 'DnsProviderReady') => conditionOf(session.object(), type);
  const told = (type: 'DashboardDomainReady' | 'DnsProviderReady') => {
    const { status = '', reason = '' } = condition(type) ?? {};
    return `${status} ${reason}`.trim();
  };
  const { dnsProvider: provider } = session.environment;
  return {
    ...session,
    condition,
    domain: () => told('DashboardDomainReady'),
    dns: () => told('DnsProviderReady'),
    says: () => condition('DashboardDomainReady')?.message ?? '',
    records: () =>
      (provider.recordsOf.get('zone-1') ?? []).map(({ type, name, content }) => `${type} ${name} ${content}`),
    save: (fields: Parameters<typeof putConfig>[1]) => session.edit((environment) => putConfig(environment, fields)),
  };
}
