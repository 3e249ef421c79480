import { hashOf } from '../canonical.ts';
import { typeOfAddress } from '../domain/records.ts';

/** A record as Core writes it; the comment identifies its owner. */
export interface RecordContent {
  readonly type: string;
  readonly name: string;
  readonly content: string;
  readonly proxied: boolean;
  readonly comment: string;
}

/** The target of a host's requests; without a host, of all others. */
export interface Route {
  readonly hostname?: string;
  readonly service: string;
}

/** A public host, and where inside the cluster its requests go. */
export interface PublicHost {
  readonly host: string;
  readonly service: string;
}

/** What the provider is to publish, by the settings and the hosts. */
export interface Publishing {
  readonly root: string;
  /** The dashboard's host first. */
  readonly hosts: readonly PublicHost[];
  /** The hostname of the tunnel; null when records point to the nodes. */
  readonly tunnel: string | null;
  readonly publicIPs: readonly string[];
  /** Marks the records as Core's. */
  readonly comment: string;
}

/** The name of a tunnel, which only the provider resolves. */
export const tunnelHostname = (tunnelID: string): string => `${tunnelID}.cfargotunnel.com`;

const isUnder = (host: string, root: string): boolean => host === root || host.endsWith(`.${root}`);

/** The records of every host under the root domain: proxied, so that visitors do not learn the origin addresses. */
export function recordsWanted({ root, hosts, tunnel, publicIPs, comment }: Publishing): readonly RecordContent[] {
  const leading = tunnel === null ? publicIPs : [tunnel];
  const type = (content: string) => (tunnel === null ? typeOfAddress(content) : 'CNAME');
  return hosts
    .filter(({ host }) => root !== '' && isUnder(host, root))
    .flatMap(({ host: name }) =>
      leading.map((content) => ({ type: type(content), name, content, proxied: true, comment })),
    );
}

/** The routes of a tunnel; other hosts get 404. */
export const routesWanted = ({ hosts }: Publishing): readonly Route[] => [
  ...hosts.map(({ host: hostname, service }) => ({ hostname, service })),
  { service: 'http_status:404' },
];

export const routesHash = (routes: readonly Route[]): string => hashOf(routes).slice(0, 16);
