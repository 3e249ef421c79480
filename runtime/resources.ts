import type { Kind, KubeObject, ObjectOf } from '../crds/kind.ts';
import { group, version } from '../crds/names.ts';
import type { BuildJob } from '../rules/build/job.ts';
import type { Cached, Resource } from './services/cluster.ts';

export interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface ContainerStatus {
  readonly name: string;
  readonly state?: { readonly terminated?: { readonly exitCode: number; readonly message?: string } };
}

export interface Pod extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

const builtIn = <O extends KubeObject>(of: string, kind: string, plural: string, namespaced = true): Resource<O> => ({
  group: of,
  version: 'v1',
  kind,
  plural,
  namespaced,
});

export const secrets = builtIn<Secret>('', 'Secret', 'secrets');
export const pods = builtIn<Pod>('', 'Pod', 'pods');
export const events = builtIn<KubeObject>('', 'Event', 'events');
export const jobs = builtIn<BuildJob>('batch', 'Job', 'jobs');

/** Where a kind of ours is served. */
export const resourceOf = <K extends Kind>(kind: K, cached: Cached<ObjectOf<K>> = {}): Resource<ObjectOf<K>> => ({
  group,
  version,
  kind: kind.kind,
  plural: kind.plural,
  namespaced: true,
  cached,
});
