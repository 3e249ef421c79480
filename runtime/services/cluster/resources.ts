import { byCopied } from './indexes.ts';
import type { Job, KubeEvent, Pod, Secret } from '../../../crds/builtIn.ts';
import type { Kind, KubeObject, ObjectOf } from '../../../crds/kind.ts';
import { group, jobNameLabel, label, version } from '../../../crds/names.ts';
import { byLabel, type Cached, type Resource } from './cluster.ts';

const builtIn = <O extends KubeObject>(of: string, kind: string, plural: string, namespaced = true): Resource<O> => ({
  group: of,
  version: 'v1',
  kind,
  plural,
  namespaced,
});

export const secrets: Resource<Secret> = {
  ...builtIn<Secret>('', 'Secret', 'secrets'),
  cached: { indexes: [byCopied] },
};
export const pods = builtIn<Pod>('', 'Pod', 'pods');
export const events = builtIn<KubeObject>('', 'Event', 'events');
/** The Events about one object, read when a pass asks for them. */
export const objectEvents = builtIn<KubeEvent>('', 'Event', 'events');
const eventsOf = (reason: string) => ({
  ...builtIn<KubeEvent>('', 'Event', 'events'),
  cached: { fieldSelector: `reason=${reason}` },
});

/** The pods of Jobs, and the Events about pods of Jobs that do not start. */
export const jobPods = {
  ...pods,
  cached: { labelSelector: jobNameLabel, indexes: [byLabel(jobNameLabel), byLabel(label.project)] },
};
export const failedMounts = eventsOf('FailedMount');
export const failedCreations = eventsOf('FailedCreate');

/** The namespaces labelled for a project; others are found only by a direct read. */
export const namespaces: Resource = {
  ...builtIn('', 'Namespace', 'namespaces', false),
  cached: { labelSelector: label.project, indexes: [byLabel(label.project)] },
};

/** The definition of one kind that an add-on serves; absent while the add-on is not installed. */
export const definitionOf = <O extends KubeObject>(name: string): Resource<O> => ({
  ...builtIn('apiextensions.k8s.io', 'CustomResourceDefinition', 'customresourcedefinitions', false),
  cached: { fieldSelector: `metadata.name=${name}` },
});

export const jobs = builtIn<Job>('batch', 'Job', 'jobs');

/** The resource of one of our kinds. */
export const resourceOf = <K extends Kind>(
  kind: K,
  cached: Cached<NoInfer<ObjectOf<K>>> = {},
): Resource<ObjectOf<K>> => ({
  group,
  version,
  kind: kind.kind,
  plural: kind.plural,
  namespaced: true,
  cached,
});
