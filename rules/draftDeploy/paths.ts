import { canonicalJson } from '../canonical.ts';
import { isObject } from '../json.ts';

/** The paths at which two values differ, such as `spec.resources.requests.cpu`; lists are compared as a whole. */
function differingAt(path: string, one: unknown, other: unknown): readonly string[] {
  if (one === other) return [];
  // An absent map is compared as an empty one, because some of its fields wait and others apply at once.
  const [mine, theirs] = [one ?? {}, other ?? {}];
  if (isObject(mine) && isObject(theirs))
    return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
      .toSorted()
      .flatMap((key) => differingAt(`${path}.${key}`, mine[key], theirs[key]));
  // An empty field means the same as an absent one.
  return canonicalJson(one) === canonicalJson(other) || (isEmpty(one) && isEmpty(other)) ? [] : [path];
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.values(value).every(isEmpty));

/** Changes of the gate itself do not wait for a deploy. */
const gate = 'spec.deploy';

/** The paths in which two specs differ, apart from the deploy gate. */
export const differingPaths = (spec: object, other: object): readonly string[] =>
  differingAt('spec', spec, other).filter((path) => path !== gate && !path.startsWith(`${gate}.`));
