import type { Server } from 'node:https';
import type { Uncaught } from './uncaught.ts';

/** What the program around the cluster calls its own: no name of it is fixed in here. */
export interface Names {
  /** Stands in the kubeconfig and before the names of the storage classes. */
  readonly program: string;
  /** Stands before the `/` in the cluster's own labels and annotations. */
  readonly prefix: string;
  /** A namespace that is always there, with the ConfigMap of the simulated nodes. */
  readonly systemNamespace: string;
}

export type Log = (level: 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>) => void;

/** How a server treats its connections. */
export interface Connections {
  readonly limits: {
    readonly handshakeTimeout: number;
    readonly headersTimeout: number;
    readonly connectionsCheckingInterval: number;
  };
  /** Asked for before the server listens; what it returns ends the server, cutting what is left after that time. */
  readonly stopOf: (server: Server, endWithinMs: number) => () => Promise<void>;
}

/** What the program around the cluster gives it. */
export interface ClusterOptions {
  readonly names: Names;
  readonly log: Log;
  readonly connections: Connections;
  /** Called with errors that nobody caught in processes of the cluster's own. */
  readonly uncaught: (uncaught: Uncaught) => void;
}

/** The labels, annotations and drivers of the cluster's own, under the prefix of the program around it. */
export interface Marks {
  /** On a simulated Node, with the value `true`. */
  readonly simulated: string;
  /** On a simulated Node: the entry that it was made from. */
  readonly entry: string;
  /** On a pod: how a simulated node runs it. */
  readonly run: string;
  /** On a pod: the data directory whose node runs it in containers. */
  readonly podmanRun: string;
  /** On a pod: the log that it is to have. */
  readonly log: string;
  /** On the Node of this machine: what runs its pods. */
  readonly machine: string;
  readonly region: string;
  readonly reserved: string;
  readonly tag: (name: string) => string;
  /** The one provisioner there is: its volumes hold nothing, and it says so by its name. */
  readonly provisioner: string;
  readonly driver: string;
}

export function marksOf({ prefix }: Names): Marks {
  const key = (name: string) => `${prefix}/${name}`;
  return {
    simulated: key('simulated'),
    entry: key('simulated-from'),
    run: key('simulated-run'),
    podmanRun: key('podman-run'),
    log: key('log'),
    machine: key('machine'),
    region: key('region'),
    reserved: key('reserved'),
    tag: (name) => key(`tag-${name}`),
    provisioner: key('simulated'),
    driver: `simulated.${prefix}`,
  };
}
