import type { DatabaseSpec } from '../../crds/coreDatabase.ts';
import { claimName } from '../database/sqlite.ts';

/**
 * The usage series of a service, a database or a project: `cpu` in cores, `memory` and `storage` in bytes, `network`
 * (sent) and `networkIn` (received) in bytes a second, `requests` a second.
 */
type Series = 'cpu' | 'memory' | 'network' | 'networkIn' | 'requests' | 'storage';
export type Queries = Readonly<Partial<Record<Series, string>>>;

/** A name inside a regular expression inside a PromQL string. */
const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\\\$&');

/** Rates cover several scrapes, and the whole interval between two steps. */
const rateSeconds = (step: number): number => Math.max(120, step);

/** Pods of a Deployment: the hash of its ReplicaSet and a suffix. Excludes those of `web-api` for `web`. */
const ofDeployment = (name: string): string => `${escaped(name)}-[a-z0-9]{1,10}-[a-z0-9]{5}`;

const ofContainers = (select: string, step: number): Queries => {
  const rate = (metric: string, more = '') => `sum(rate(${metric}{${select}${more}}[${rateSeconds(step)}s]))`;
  // The empty container is the whole pod, POD its sandbox.
  const containers = ',container!="",container!="POD"';
  return {
    cpu: rate('container_cpu_usage_seconds_total', containers),
    memory: `sum(container_memory_working_set_bytes{${select}${containers}})`,
    network: rate('container_network_transmit_bytes_total'),
    networkIn: rate('container_network_receive_bytes_total'),
  };
};

interface Placed {
  readonly name: string;
  readonly namespace: string;
}

/** The queries of a service, with its requests through Traefik. */
export const serviceQueries = ({ name, namespace }: Placed, step: number): Queries => ({
  ...ofContainers(`namespace="${namespace}",pod=~"${ofDeployment(name)}"`, step),
  requests: `sum(rate(traefik_service_requests_total{service=~"${escaped(`${namespace}-${name}`)}-(http|[0-9]+)@kubernetes"}[${rateSeconds(step)}s]))`,
});

/** The pods and volumes of each engine, as their operators and charts name them. */
const ofEngine: Readonly<
  Record<DatabaseSpec['engine'], (name: string) => { readonly pods: string; readonly claims: string }>
> = {
  SQLite: (name) => ({ pods: ofDeployment(name), claims: claimName(name) }),
  Postgres: (name) => ({ pods: `${name}-[0-9]+`, claims: `${name}-[0-9]+` }),
  MySQL: (name) => ({
    pods: `${name}-mysql(-primary|-secondary)?-[0-9]+`,
    claims: `data-${name}-mysql(-primary|-secondary)?-[0-9]+`,
  }),
  Redis: (name) => ({
    pods: `${name}-redis-(master|replicas)-[0-9]+`,
    claims: `redis-data-${name}-redis-(master|replicas)-[0-9]+`,
  }),
};

export function databaseQueries(of: Placed & { readonly engine: DatabaseSpec['engine'] }, step: number): Queries {
  const { pods, claims } = ofEngine[of.engine](escaped(of.name));
  const storage = `sum(kubelet_volume_stats_used_bytes{namespace="${of.namespace}",persistentvolumeclaim=~"${claims}"})`;
  return { ...ofContainers(`namespace="${of.namespace}",pod=~"${pods}"`, step), storage };
}

/** The queries of all workloads in the environments of a project. */
export const projectQueries = (namespaces: readonly string[], step: number): Queries =>
  ofContainers(`namespace=~"${namespaces.map(escaped).join('|')}"`, step);
