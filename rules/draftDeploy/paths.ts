import { canonicalJson } from '../canonical.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The paths at which two values differ, as in `spec.resources.requests.cpu`; a list differs as a whole. */
function differingAt(path: string, one: unknown, other: unknown): readonly string[] {
  if (one === other) return [];
  if (isFields(one) && isFields(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])]
      .toSorted()
      .flatMap((key) => differingAt(`${path}.${key}`, one[key], other[key]));
  // A field that is empty asks for nothing that one left out would not.
  return canonicalJson(one) === canonicalJson(other) || (isEmpty(one) && isEmpty(other)) ? [] : [path];
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (isFields(value) && Object.values(value).every(isEmpty));

/** The gate itself is no change that waits for it. */
const gate = 'spec.deploy';

/** Where a spec differs from another one, but for the deploy gate. */
export const differingPaths = (spec: object, other: object): readonly string[] =>
  differingAt('spec', spec, other).filter((path) => path !== gate && !path.startsWith(`${gate}.`));
