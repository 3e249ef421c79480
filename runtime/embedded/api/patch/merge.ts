import { isJson, ownField, setField } from '../json.ts';

/** A JSON merge patch (RFC 7386) applied: null removes, objects merge, anything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJson(patch)) return patch;
  const merged: Record<string, unknown> = isJson(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field];
    else setField(merged, field, mergePatch(ownField(merged, field), value));
  }
  return merged;
}
