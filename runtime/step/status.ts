import type { KubeObject } from '../../crds/kind.ts';
import { isEmpty, mergePatchOf } from './mergePatch.ts';
import type { Fields } from '../contract/lifecycle.ts';

/** The status of any object, as the runtime itself reads it. */
export const statusOf = (object: KubeObject): Fields => (object as { readonly status?: Fields }).status ?? {};

/** The object with these fields of its status set; null removes one, as a JSON merge patch does. */
export const withStatus = <O extends KubeObject>(object: O, fields: Fields): O => ({
  ...object,
  status: Object.fromEntries(Object.entries({ ...statusOf(object), ...fields }).filter(([, value]) => value !== null)),
});

/** The object with the status of another. */
export const withStatusOf = <O extends KubeObject>(object: O, other: KubeObject): O => ({
  ...object,
  status: statusOf(other),
});

const patchOrNull = (patch: Fields): Fields | null => (isEmpty(patch) ? null : patch);

/** The merge patch from the status of one object to that of another; null when they are the same. */
export const statusPatch = (from: KubeObject, to: KubeObject): Fields | null =>
  patchOrNull(mergePatchOf(statusOf(from), statusOf(to)));

const none: Fields = {};
const specOf = (object: KubeObject): Fields => (object as { readonly spec?: Fields }).spec ?? none;
const annotationsOf = ({ metadata }: KubeObject): Fields => metadata.annotations ?? none;

/** The same for what a machine may keep outside the status: spec and annotations. */
export function objectPatch(from: KubeObject, to: KubeObject): Fields | null {
  const spec = mergePatchOf(specOf(from), specOf(to));
  const annotations = mergePatchOf(annotationsOf(from), annotationsOf(to));
  return patchOrNull({
    ...(isEmpty(spec) ? {} : { spec }),
    ...(isEmpty(annotations) ? {} : { metadata: { annotations } }),
  });
}
