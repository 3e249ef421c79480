import type { KubeObject } from '../../crds/kind.ts';
import { isSameJson } from '../../rules/sameJson.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Replaces fields by equal values of another object. */
function withEqualOf<F extends object>(fields: F, others: object): F {
  const shared = { ...fields } as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    const before = (others as Fields)[name];
    if (typeof value === 'object' && value !== before && isSameJson(value, before)) shared[name] = before;
  }
  return shared as F;
}

/**
 * Reuses the unchanged parts of an earlier version, the spec and each metadata field, so that results cached by
 * identity stay valid.
 */
export function sharing<O extends KubeObject>(object: O, before: KubeObject | undefined): O {
  if (before === undefined || before === object) return object;
  return { ...withEqualOf(object, before), metadata: withEqualOf(object.metadata, before.metadata) };
}
