import type { KubeObject } from '../../crds/kind.ts';
import { isEmpty, mergePatchOf } from './mergePatch.ts';
import type { Fields } from '../contract/lifecycle.ts';

/** The status of any object, as the runtime itself reads it. */
export const statusOf = (object: KubeObject): Fields => (object as { readonly status?: Fields }).status ?? {};

/** Sets fields of the status; null removes one, as in a JSON merge patch. */
export const withStatus = <O extends KubeObject>(object: O, fields: Fields): O => ({
  ...object,
  status: Object.fromEntries(Object.entries({ ...statusOf(object), ...fields }).filter(([, value]) => value !== null)),
});

/** Copies the status of another object. */
export const withStatusOf = <O extends KubeObject>(object: O, other: KubeObject): O => ({
  ...object,
  status: statusOf(other),
});

const patchOrNull = (patch: Fields): Fields | null => (isEmpty(patch) ? null : patch);

/** The merge patch between two statuses; null when they are equal. */
export const statusPatch = (from: KubeObject, to: KubeObject): Fields | null =>
  patchOrNull(mergePatchOf(statusOf(from), statusOf(to)));

const none: Fields = {};
const specOf = (object: KubeObject): Fields => (object as { readonly spec?: Fields }).spec ?? none;
const annotationsOf = ({ metadata }: KubeObject): Fields => metadata.annotations ?? none;

/** The merge patch between spec and annotations, where a machine may store its state. */
export function objectPatch(from: KubeObject, to: KubeObject): Fields | null {
  const spec = mergePatchOf(specOf(from), specOf(to));
  const annotations = mergePatchOf(annotationsOf(from), annotationsOf(to));
  return patchOrNull({
    ...(isEmpty(spec) ? {} : { spec }),
    ...(isEmpty(annotations) ? {} : { metadata: { annotations } }),
  });
}
