import type { KubeObject } from '../../crds/kind.ts';
import { isObject } from '../json.ts';
import { differences } from './differences.ts';

const policy = { terminationMessagePolicy: 'FallbackToLogsOnError' };

interface Container {
  readonly name: string;
}

/** A workload with a pod template. */
export interface Templated extends KubeObject {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
}

/** Whether an object that Core writes has a pod template of its own. */
export const isTemplated = (object: KubeObject): object is Templated =>
  object.kind === 'Deployment' && templateIn(object) !== undefined;

const templateIn = (live: KubeObject | undefined): unknown => {
  const spec = live && (live as { readonly spec?: unknown }).spec;
  return isObject(spec) ? spec['template'] : undefined;
};

/**
 * The workload whose containers give the end of their log as termination message when they fail. The pods of a live
 * workload are not replaced for that alone: it gets the field with its next rollout.
 */
export function withLogsOnError<O extends Templated>(workload: O, live: KubeObject | undefined): O {
  const { template } = workload.spec;
  const containers = template.spec.containers.map((container) => ({ ...container, ...policy }));
  const added = { ...template, spec: { ...template.spec, containers } };
  const standing = templateIn(live);
  const wouldRoll =
    standing !== undefined && differences(added, standing).length > 0 && differences(template, standing).length === 0;
  return wouldRoll ? workload : { ...workload, spec: { ...workload.spec, template: added } };
}
