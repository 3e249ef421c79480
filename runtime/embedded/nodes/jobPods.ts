import { failureCountKey, indexKey } from './jobIndexes.ts';
import { generatedName } from '../api/generatedName.ts';
import type { Container, Job } from './shapes.ts';

/** A pod that a Job lacks. */
export interface Wanted {
  /** Null for a Job whose pods are all alike. */
  readonly index: number | null;
  /** How often its index failed before. */
  readonly failures: number;
}

/** A new pod of a Job, as its template says. */
export function podOf(job: Job, wanted: Wanted) {
  const { name, namespace, uid } = job.metadata;
  const { metadata = {}, spec = {} } = job.spec?.template ?? {};
  const generateName = prefixOf(name, wanted);
  const annotations = { ...metadata.annotations, ...indexAnnotations(job, wanted) };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: generatedName(generateName),
      generateName,
      ...(namespace !== undefined && { namespace }),
      labels: {
        ...metadata.labels,
        'batch.kubernetes.io/controller-uid': uid,
        ...(wanted.index !== null && { [indexKey]: String(wanted.index) }),
        'batch.kubernetes.io/job-name': name,
        'controller-uid': uid,
        'job-name': name,
      },
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: wanted.index === null ? spec : withIndex(spec, `${name}-${wanted.index}`),
    status: { phase: 'Pending' },
  };
}

const longestPrefix = 58;

function prefixOf(job: string, { index }: Wanted): string {
  const end = index === null ? '-' : `-${index}-`;
  return `${job.slice(0, longestPrefix - end.length)}${end}`;
}

const indexAnnotations = ({ spec }: Job, { index, failures }: Wanted): Readonly<Record<string, string>> =>
  index === null
    ? {}
    : {
        [indexKey]: String(index),
        ...(spec?.backoffLimitPerIndex !== undefined && { [failureCountKey]: String(failures) }),
      };

type PodSpec = NonNullable<NonNullable<NonNullable<Job['spec']>['template']>['spec']>;

function withIndex(spec: PodSpec, hostname: string): PodSpec {
  return {
    ...spec,
    hostname,
    ...(spec.initContainers && { initContainers: spec.initContainers.map(withVariable) }),
    ...(spec.containers && { containers: spec.containers.map(withVariable) }),
  };
}

const variable = 'JOB_COMPLETION_INDEX';

/** The index in the environment of a container, unless that has its own. */
function withVariable(container: Container): Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === variable)) return container;
  const fieldRef = { apiVersion: 'v1', fieldPath: `metadata.labels['${indexKey}']` };
  return { ...container, env: [...env, { name: variable, valueFrom: { fieldRef } }] };
}
