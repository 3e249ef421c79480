import type { AppSpec, CoreApp } from '../../../../crds/coreApp.ts';
import { type CorePlatformConfig, platformConfigName } from '../../../../crds/corePlatformConfig.ts';
import { annotation } from '../../../../crds/names.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import { addressIn } from '../../../../rules/domain/address.ts';
import type { ServiceObserved } from '../../../../rules/service/facts.ts';
import { askedHostOf, defaultHosts, type Leads, ownHostOf, whereLeads } from '../../../../rules/service/hosts.ts';
import { machineDomain } from '../../../../rules/service/machineHosts.ts';
import { apps, platformConfigs } from '../../../services/cluster/kinds.ts';
import { byHost } from '../../../services/cluster/indexes.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import type { Fields } from '../../../contract/lifecycle.ts';
import { gateOf } from '../../../../rules/service/deployed.ts';

const configOf = (reader: CacheReader) => reader.get(platformConfigs, platformConfigName);

/** The platform settings that services read: the registry, and the domain of their hosts. */
export const hostingRead = (config: CorePlatformConfig): unknown => [
  config.spec.registry,
  addressIn(config),
  conditionOf(config, 'DnsProviderReady')?.status,
];

/** The target of a host among the other services. */
function leadsTo(host: string, reader: CacheReader, but: readonly string[] = []): Leads {
  const asking = reader.indexed(apps, byHost.name, host).filter(({ metadata }) => !but.includes(metadata.name));
  return whereLeads(host, addressIn(configOf(reader)).host, asking);
}

/** The other service that holds a requested host. */
export const takenBy = ({ metadata }: CoreApp, host: string, reader: CacheReader): Leads =>
  leadsTo(host, reader, [metadata.name]);

/** The public host of a service, and whether it leads to this service. */
export function hostSeen(app: CoreApp, spec: AppSpec, reader: CacheReader): ServiceObserved['host'] {
  const name = askedHostOf({ metadata: app.metadata, spec });
  const leads = leadsTo(name, reader);
  if (leads === null) return { name, leads: 'here' };
  if (leads.to === 'dashboard') return { name, leads: 'toTheDashboard' };
  return leads.name === app.metadata.name ? { name, leads: 'here' } : { name, leads: 'toAnother', owner: leads.name };
}

/** The host under which visitors reach a service; empty where none leads to it. */
export function publicHostOf(app: CoreApp, spec: AppSpec, reader: CacheReader): string {
  const { name, leads } = hostSeen(app, spec, reader);
  return leads === 'here' ? name : '';
}

/** The domain of default hosts: the machine's own domain when no other is set. */
function domainOf(ofMachine: boolean, reader: CacheReader): Domain | null {
  const config = configOf(reader);
  const { root } = addressIn(config);
  const provider = config && conditionOf(config, 'DnsProviderReady');
  if (provider && root !== '') return { name: root, isSure: provider.status === 'True' };
  return ofMachine ? { name: machineDomain, isSure: true } : null;
}

/** `isSure` is false while the DNS provider of the domain fails; hosts then stay unchanged. */
interface Domain {
  readonly name: string;
  readonly isSure: boolean;
}

/**
 * The default host of a service, while the DNS provider creates records for it. It stays while the provider fails, and
 * is removed with the provider.
 */
function defaultHostOf(app: CoreApp, kept: string, domain: Domain | null, reader: CacheReader): string {
  if (!domain || ownHostOf(app) !== '' || gateOf(app) === 'Draft') return '';
  if (!domain.isSure) return kept;
  const isFree = (host: string) => takenBy(app, host, reader) === null;
  if (kept.endsWith(`.${domain.name}`) && hostSeen(app, app.spec, reader).leads === 'here') return kept;
  return defaultHosts(app, domain.name).find(isFree) ?? '';
}

/** The patch that sets or removes the default host; null when nothing changes. */
export const defaultHostPatch =
  (ofMachine: boolean) =>
  (app: CoreApp, reader: CacheReader): Fields | null => {
    const kept = app.metadata.annotations?.[annotation.defaultHost] ?? '';
    const host = defaultHostOf(app, kept, domainOf(ofMachine, reader), reader);
    return host === kept
      ? null
      : { metadata: { annotations: { [annotation.defaultHost]: host === '' ? null : host } } };
  };
