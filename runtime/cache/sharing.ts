import type { KubeObject } from '../../crds/kind.ts';
import { isSameJson } from '../../rules/sameJson.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields with the values of the others where they are equal. */
function withEqualOf<F extends object>(fields: F, others: object): F {
  const shared = { ...fields } as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    const before = (others as Fields)[name];
    if (typeof value === 'object' && value !== before && isSameJson(value, before)) shared[name] = before;
  }
  return shared as F;
}

/**
 * A version of an object that holds the very parts of an earlier version that did not change: the spec, and each field
 * of the metadata. What was derived from a part is found by it after a write of something else.
 */
export function sharing<O extends KubeObject>(object: O, before: KubeObject | undefined): O {
  if (before === undefined || before === object) return object;
  return { ...withEqualOf(object, before), metadata: withEqualOf(object.metadata, before.metadata) };
}
