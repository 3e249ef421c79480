import type { CorePlatformConfig, PlatformConfigSpec } from '../../crds/corePlatformConfig.ts';

/** Where the dashboard is published: the domain of the platform, the host under it, and the whole address. */
export interface Address {
  /** Empty when neither field of the settings gives one. */
  readonly root: string;
  readonly host: string;
  readonly url: string;
}

type AddressInput = Pick<PlatformConfigSpec, 'rootDomain' | 'dashboardURL'>;

/** The settings, parsed once. */
interface Message {
  readonly root: string;
  readonly url: string;
  /** The host of the URL, without its port. */
  readonly host: string;
}

interface AddressRow {
  readonly when: (said: Message) => boolean;
  readonly gives: (said: Message) => Address;
}

const subdomain = 'core';
const prefix = `${subdomain}.`;
const nowhere: Address = { root: '', host: '', url: '' };

/** The address by the settings; the first row that holds wins (decision 102). */
const rows: readonly AddressRow[] = [
  { when: ({ root, url }) => root === '' && url === '', gives: () => nowhere },
  {
    when: ({ root, host }) => root === '' && host.startsWith(prefix) && host.slice(prefix.length).includes('.'),
    gives: ({ url, host }) => ({ root: host.slice(prefix.length), host, url }),
  },
  { when: ({ root }) => root === '', gives: ({ url, host }) => ({ root: '', host, url }) },
  {
    when: ({ url }) => url === '',
    gives: ({ root }) => ({ root, host: `${prefix}${root}`, url: `https://${prefix}${root}` }),
  },
  { when: ({ root, host }) => host.endsWith(`.${root}`), gives: ({ root, url, host }) => ({ root, host, url }) },
  // A URL elsewhere is an external proxy: the dashboard is published under the root nevertheless.
  { when: () => true, gives: ({ root, url }) => ({ root, host: `${prefix}${root}`, url }) },
];

export function addressOf({ rootDomain = '', dashboardURL = '' }: AddressInput): Address {
  const host = /^https:\/\/([^/:]+)/.exec(dashboardURL.toLowerCase())?.[1] ?? '';
  const said = { root: rootDomain.toLowerCase(), url: dashboardURL, host };
  return (rows.find(({ when }) => when(said))?.gives ?? (() => nowhere))(said);
}

/** The same for the platform's settings, which may be missing. */
export const addressIn = (config: CorePlatformConfig | undefined): Address => addressOf(config?.spec ?? {});

/** The host and port of an address for visitors. */
export const visitedHost = ({ host, url }: Address): string => {
  const [, at = '', port = ''] = /^https:\/\/([^/:]+)(:\d+)?/.exec(url.toLowerCase()) ?? [];
  return at === host ? `${host}${port}` : host;
};
