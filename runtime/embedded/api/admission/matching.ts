import type { Stored } from '../../store.ts';
import { type Json, jsonAt, listAt, textAt } from '../json.ts';
import type { ResourceType } from '../kinds/type.ts';
import { type Attributes, isNamespace } from './attributes.ts';
import { labelSelector } from './labelSelector.ts';
import { resourceRules } from './resourceRules.ts';

/** What matching looks up beyond the write itself. */
export interface Surroundings {
  readonly namespace: (name: string) => Stored | undefined;
  readonly equivalents: (type: ResourceType) => readonly ResourceType[];
}

type Match = (attributes: Attributes, around: Surroundings) => ResourceType | null;

/** Which writes the `matchConstraints` of a policy, or the `matchResources` of a binding, are about. */
export function matching(resources: Json): Match {
  const policy = textAt(resources, 'matchPolicy') || 'Equivalent';
  const rules = listAt(resources, 'resourceRules');
  const named = resourceRules(rules, policy);
  const excluded = resourceRules(listAt(resources, 'excludeResourceRules'), policy);
  const ofNamespace = labelSelector(jsonAt(resources, 'namespaceSelector'));
  const ofObject = labelSelector(jsonAt(resources, 'objectSelector'));
  return (attributes, around) => {
    const equivalents = () => around.equivalents(attributes.type);
    const type = rules.length === 0 ? attributes.type : named(attributes, equivalents);
    if (type === null || excluded(attributes, equivalents)) return null;
    if (ofNamespace && !ofNamespace(namespaceLabels(attributes, around) ?? {}) && !isClusterScoped(attributes))
      return null;
    if (ofObject && ![attributes.object, attributes.oldObject].some((object) => object && ofObject(labelsOf(object))))
      return null;
    return type;
  };
}

const labelsOf = (object: Json) => jsonAt(object, 'metadata', 'labels');

/** No namespace selector keeps a policy from what is in no namespace. */
const isClusterScoped = (attributes: Attributes) => attributes.namespace === '';

/** A Namespace is selected by its own labels, as they will be. */
function namespaceLabels(attributes: Attributes, around: Surroundings): Json | null {
  const found = isNamespace(attributes)
    ? (attributes.object ?? attributes.oldObject)
    : around.namespace(attributes.namespace);
  return found ? labelsOf(found) : null;
}
