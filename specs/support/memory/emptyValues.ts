import type { KubeObject } from '../../../crds/kind.ts';

/** Transcribed by hand: where an empty value is a wish of its own. */
const meaningful = /\.(?:podSelector|namespaceSelector|emptyDir|http01\.ingress)$/;

const isEmpty = (value: object) => Object.keys(value).length === 0;

function* emptyIn(value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (isEmpty(value) && !meaningful.test(path) && !path.endsWith(']')) yield path;
  for (const [name, one] of Object.entries(value))
    yield* emptyIn(one, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`);
}

/** The paths of an object at which an empty list or map stands that means nothing; items of lists aside. */
export const emptyValuesOf = (object: KubeObject): readonly string[] => [...emptyIn(object, object.kind ?? '')];
