import { Effect } from 'effect';
import type { CorePlatformConfig } from '../../../crds/corePlatformConfig.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { tunnelHostname } from '../../../rules/dnsProviderReady/wanted.ts';
import { platformController } from '../../../runtime/controllers/platformConfig/controller.ts';
import { domainState } from '../../../runtime/controllers/platformConfig/lifecycles/dashboardDomainReady/lifecycle.ts';
import { providerState } from '../../../runtime/controllers/platformConfig/lifecycles/dnsProviderReady/lifecycle.ts';
import { everyKind, platformConfigs } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { putConfig } from '../../runtime/controllers/platform/session.ts';
import { platformOracle } from './platform/oracle.ts';
import { configIn, inSystem } from './platform/objects.ts';
import { platformPaths } from './platform/paths.ts';
import type { FaultSubject } from './subject.ts';

/** The states of both machines; empty while there are no settings. */
const stateIn = (environment: TestEnvironment): string => {
  const config = configIn(environment);
  return config ? `${providerState(config)} ${domainState(config)}` : '';
};

const patched = (patch: object) => (environment: TestEnvironment) => {
  if (configIn(environment)) Effect.runSync(environment.cluster.patch(platformConfigs, { name: 'platform' }, patch));
};
const dropped =
  (resource: (typeof owned)[keyof typeof owned], name: string) =>
  ({ cluster }: TestEnvironment) => {
    if (cluster.all(resource).some(({ metadata }) => metadata.name === name))
      cluster.drop(resource, name, inSystem(name).namespace);
  };

/** What people do with kubectl to the settings and to what follows from them. */
const userEdits: FaultSubject['userEdits'] = {
  'the Ingress is deleted': dropped(owned.ingresses, 'core-dashboard'),
  'the agent is deleted': dropped(owned.deployments, 'core-tunnel-agent'),
  'the token is deleted': dropped(owned.secrets, 'core-tunnel-token'),
  'a setting that nobody reads is changed': (environment) => {
    if (configIn(environment)) putConfig(environment, { defaultDomain: 'example.net' });
  },
  'a label is set': patched({ metadata: { labels: { team: 'a' } } }),
};

/** The operator writes the hostname of its own tunnel, the first of the provider, and takes it away again. */
function repaired(written: KubeObject): KubeObject {
  const { spec, ...others } = written as CorePlatformConfig;
  if (spec === undefined || others.kind !== 'CorePlatformConfig') return written;
  const { tunnelCNAMETarget: _, ...rest } = spec;
  const isManaged = spec.dashboardExposure === 'tunnel' && spec.dnsConnectionRef !== undefined;
  const hostname = isManaged ? { tunnelCNAMETarget: tunnelHostname('tunnel-1') } : {};
  return { ...others, spec: { ...rest, ...hostname } } as KubeObject;
}

/** The settings of the platform: a domain that is verified, a provider that publishes. */
export const platformSubject: FaultSubject = {
  name: 'platform',
  tables: ['dnsProviderReady', 'dashboardDomainReady'],
  controllers: () => [platformController('agent-image')],
  alsoSeen: everyKind,
  paths: platformPaths,
  state: stateIn,
  userEdits,
  repaired,
  oracle: platformOracle,
};
