import type { KubeObject } from '../../../../crds/kind.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { keyOf } from '../../../support/memoryCluster.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Oracle } from '../subject.ts';
import { configIn, unmanaged } from './objects.ts';

/** What must hold of the platform and its provider under every fault. */
export function platformOracle(environment: TestEnvironment): Oracle {
  const { cluster, dnsProvider: provider } = environment;

  const outside = (): readonly string[] => {
    const records = provider.recordsOf.get('zone-1') ?? [];
    const own = records.find(({ id }) => id === unmanaged.id);
    const names = records.map(({ type, name, content }) => `${type} ${name} ${content}`);
    return [
      ...(provider.tunnelsSeen.length > 1 ? ['there is a second tunnel'] : []),
      ...(JSON.stringify(own) === JSON.stringify(unmanaged) ? [] : ['a record of somebody else was touched']),
      ...(new Set(names).size === names.length ? [] : ['a record stands twice']),
    ];
  };
  const tells = (object: KubeObject): readonly string[] =>
    object.kind !== 'Secret' && /token-of-(tunnel|the-provider)/.test(JSON.stringify(object))
      ? [`${keyOf(object)} shows a token`]
      : [];
  const live = (kind: 'ingresses' | 'deployments', name: string) =>
    cluster.all(owned[kind]).some(({ metadata }) => metadata.name === name);

  return {
    look: (changed) => [...tells(changed), ...outside()],
    atRest: () => {
      const { spec, status } = configIn(environment) ?? {};
      const isTunnel = spec?.dashboardExposure === 'tunnel';
      const hasDomain = spec?.rootDomain !== undefined;
      const hasAgent = isTunnel && spec?.dnsConnectionRef !== undefined;
      return [
        ...outside(),
        ...(live('ingresses', 'core-dashboard') === (hasDomain && !isTunnel)
          ? []
          : ['the Ingress is not as it is to be']),
        ...(live('deployments', 'core-tunnel-agent') === hasAgent ? [] : ['the agent is not as it is to be']),
        ...((status?.conditions ?? []).some(({ type }) => type === 'DnsProviderReady') ===
        (spec?.dnsConnectionRef !== undefined)
          ? []
          : ['the condition of the provider is not as it is to be']),
      ];
    },
  };
}
