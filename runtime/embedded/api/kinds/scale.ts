import type { Stored } from '../../store.ts';
import { type Json, at, isJson, listAt, numberAt } from '../json.ts';
import { invalid } from '../status.ts';
import { negatives } from './rules/rule.ts';
import type { ResourceType } from './type.ts';

const steps = (path: string | undefined, otherwise: readonly string[]) =>
  path ? path.split('.').filter((step) => step !== '') : otherwise;

/** The object as its `scale` subresource shows it. */
export function scaleOf(type: ResourceType, object: Stored): Stored {
  const { custom } = type;
  const asked = numberAt(object, ...replicasPath(type));
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = custom?.scale?.labelSelectorPath
    ? at(object, ...steps(custom.scale.labelSelectorPath, []))
    : selectorText(at(object, 'spec', 'selector'));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: asked === 0 ? {} : { replicas: asked },
    status: {
      replicas: numberAt(object, ...steps(custom?.scale?.statusReplicasPath, ['status', 'replicas'])),
      ...(selector !== undefined && { selector }),
    },
  };
}

/** Where the object keeps the number of replicas that its scale asks for. */
export const replicasPath = ({ custom }: ResourceType): readonly string[] =>
  steps(custom?.scale?.specReplicasPath, ['spec', 'replicas']);

/** Refuses a scale that asks for less than nothing. */
export function checkScale(scale: Json, name: string): void {
  const causes = negatives(scale['spec'], 'spec', ['replicas']);
  if (causes.length > 0) throw invalid('autoscaling', 'Scale', name, causes);
}

/** The object with the number of replicas that a changed scale asks for. */
export const scaled = (type: ResourceType, object: Stored, scale: Json): Json =>
  withValue(object, replicasPath(type), numberAt(scale, 'spec', 'replicas'));

function withValue(object: Json, [first, ...rest]: readonly string[], value: unknown): Json {
  if (first === undefined) return object;
  const inner = object[first];
  return { ...object, [first]: rest.length === 0 ? value : withValue(isJson(inner) ? inner : {}, rest, value) };
}

function selectorText(selector: unknown): string | undefined {
  const labels = at(selector, 'matchLabels');
  if (!isJson(labels) || listAt(selector, 'matchExpressions').length > 0) return undefined;
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',');
}
