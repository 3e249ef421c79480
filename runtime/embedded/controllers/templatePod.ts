import type { Stored } from '../store.ts';
import { generatedName } from '../api/generatedName.ts';
import { controlledBy } from './adopt.ts';
import type { PodTemplate } from './shapes.ts';

/** A new pod of a controller, as a template says. */
export function podFrom(owner: Stored, { metadata = {}, spec = {} }: PodTemplate) {
  const { namespace } = owner.metadata;
  const generateName = `${owner.metadata.name}-`;
  const name = generatedName(generateName);
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      generateName,
      ...(namespace !== undefined && { namespace }),
      ...(metadata.labels && { labels: metadata.labels }),
      ...(metadata.annotations && { annotations: metadata.annotations }),
      ownerReferences: [controlledBy(owner)],
    },
    spec,
    status: { phase: 'Pending' },
  };
  return { name, pod };
}
