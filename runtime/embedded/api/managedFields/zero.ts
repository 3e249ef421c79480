import { type Json, at, isJson, jsonAt } from '../json.ts';

/** Parts of the built-in kinds that are there even where nobody gave them: nobody owns that they are. */
const alwaysThere = [
  'metadata',
  'spec',
  'status',
  'spec.strategy',
  'spec.updateStrategy',
  'spec.template',
  'spec.template.metadata',
  'spec.template.spec',
  'spec.jobTemplate',
  'spec.jobTemplate.metadata',
  'spec.jobTemplate.spec',
  'spec.jobTemplate.spec.template',
  'spec.jobTemplate.spec.template.metadata',
  'spec.jobTemplate.spec.template.spec',
  'spec.resources',
  'spec.names',
  'status.loadBalancer',
].map((path) => path.split('.'));

/** Lists that are there likewise. */
const listsAlwaysThere = [
  'spec.containers',
  'spec.template.spec.containers',
  'spec.jobTemplate.spec.template.spec.containers',
  'spec.versions',
].map((path) => path.split('.'));

/** The parts by their names; what has none inside says what stands for it. */
interface Parts {
  readonly [name: string]: Parts | null | undefined;
}

const parts: Parts = [...alwaysThere, ...listsAlwaysThere].reduce<Parts>(
  (tree, path) => planted(tree, path, listsAlwaysThere.includes(path) ? null : {}),
  {},
);

function planted(tree: Parts, [first = '', ...rest]: readonly string[], part: Parts | null): Parts {
  const inner = tree[first];
  return { ...tree, [first]: rest.length === 0 ? (inner ?? part) : planted(inner ?? {}, rest, part) };
}

/** Two versions of a built-in object: of the parts that are always there, either has those that the other has. */
export const withZeroParts = (before: Json, after: Json): readonly [Json, Json] => paired(parts, before, after);

function paired(tree: Parts, before: Json, after: Json): readonly [Json, Json] {
  let [from, to] = [before, after];
  for (const [name, inner] of Object.entries(tree)) {
    const [was, is] = [before[name], after[name]];
    if (was === undefined && is === undefined) continue;
    const isLeaf = inner === null || inner === undefined || Object.keys(inner).length === 0;
    const [a, b] = isLeaf
      ? [was === undefined ? inner : was, is === undefined ? inner : is]
      : paired(inner, isJson(was) ? was : {}, isJson(is) ? is : {});
    if (a !== was) from = { ...from, [name]: a };
    if (b !== is) to = { ...to, [name]: b };
  }
  return [from, to];
}

/** Fields that the server sets on a new object after it is known who gave what. */
const allocated: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec.priority', 'spec.preemptionPolicy', 'spec.priorityClassName'],
  Service: ['spec.clusterIP', 'spec.clusterIPs', 'spec.ipFamilies', 'spec.ipFamilyPolicy'],
  Job: ['spec.selector', 'spec.template.metadata.labels'],
  Namespace: ['spec.finalizers'],
};

/** A new object without what the server gave it itself. */
export function withoutAllocated(kind: string, filled: Json, asked: Json): Json {
  const paths = ['metadata.finalizers', 'metadata.ownerReferences', ...(allocated[kind] ?? [])];
  return paths.reduce<Json>((now, path) => replaced(now, path.split('.'), at(asked, ...path.split('.'))), filled);
}

function replaced(object: Json, [first, ...rest]: readonly string[], value: unknown): Json {
  if (first === undefined || object[first] === undefined) return object;
  return { ...object, [first]: rest.length === 0 ? value : replaced(jsonAt(object, first), rest, value) };
}
