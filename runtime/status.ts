import type { KubeObject } from '../crds/kind.ts';
import { canonicalJson } from '../rules/canonical.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The status of any object, as far as the runtime itself reads it. */
export const statusOf = (object: KubeObject): Fields => (object as { readonly status?: Fields }).status ?? {};

/** The object with these fields of its status set; null removes one, as a JSON merge patch does. */
export const withStatus = <O extends KubeObject>(object: O, fields: Fields): O => ({
  ...object,
  status: Object.fromEntries(Object.entries({ ...statusOf(object), ...fields }).filter(([, value]) => value !== null)),
});

const same = (a: unknown, b: unknown) => a === b || canonicalJson(a ?? null) === canonicalJson(b ?? null);

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What leads from one object to another as a JSON merge patch: a key that went is named, else it would stay. */
function patchOf(before: Fields, after: Fields): Fields {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => !same(before[name], after[name]));
  return Object.fromEntries(
    changed.map((name) => {
      const [old, value] = [before[name], after[name]];
      return [name, isObject(old) && isObject(value) ? patchOf(old, value) : (value ?? null)];
    }),
  );
}

/** The merge patch that leads from the status of one object to that of another; null when they say the same. */
export function statusPatch(from: KubeObject, to: KubeObject): Fields | null {
  const patch = patchOf(statusOf(from), statusOf(to));
  return Object.keys(patch).length === 0 ? null : patch;
}
