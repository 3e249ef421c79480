import { kinds } from '../../crds/kinds.ts';
import { structural } from '../../crds/schema.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import type { DeployStored } from './facts.ts';

/** A resource that goes through drafts and deploys. */
export interface Deployable extends KubeObject {
  readonly spec: { readonly deploy?: { readonly enabled: boolean } };
}

const annotated = ({ metadata }: KubeObject, key: string): string => metadata.annotations?.[key] ?? '';

/** The annotation `pending-changes`, as a list: `created`, `settings`, `variables`. */
export const pendingOf = (object: KubeObject): readonly string[] =>
  annotated(object, annotation.pendingChanges)
    .split(',')
    .map((kind) => kind.trim())
    .filter((kind) => kind !== '');

/** Caches the parsed annotation, because it is requested many times in a pass and stays through most writes. */
const read = new WeakMap<object, { readonly text: string; readonly spec: unknown }>();

/** The types of JSON values, as schemas call them. */
const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

/** Whether the fields of an object are those of the spec of a kind, as far as their types tell. */
function isSpecOf(name: string, spec: object): boolean {
  const kind = kinds.find((one) => one.kind === name);
  if (!kind) return true;
  const { properties = {}, required = [] } = structural(kind.spec);
  const given = spec as Readonly<Record<string, unknown>>;
  return (
    required.every((field) => field in given) &&
    Object.entries(properties).every(([field, { type, enum: choices }]) => {
      const value = given[field];
      if (value === undefined || value === null || type === undefined) return true;
      return typeOf(value) === type && (choices === undefined || choices.some((choice) => choice === value));
    })
  );
}

/** The spec as last deployed; null when it is missing or unreadable. */
export function snapshotOf<S>(object: KubeObject & { readonly spec: S }): S | null {
  const text = annotated(object, annotation.lastDeployed);
  if (text === '') return null;
  const { annotations = {} } = object.metadata;
  const before = read.get(annotations);
  if (before?.text === text) return before.spec as S | null;
  const spec = specIn(text, object.kind ?? '');
  read.set(annotations, { text, spec });
  return spec as S | null;
}

function specIn(text: string, kind: string): object | null {
  try {
    const spec: unknown = JSON.parse(text);
    const isObject = typeof spec === 'object' && spec !== null && !Array.isArray(spec);
    return isObject && isSpecOf(kind, spec) ? spec : null;
  } catch {
    return null;
  }
}

/** Whether the deploy gate is on. */
export const hasWorkflow = (object: KubeObject): boolean => annotated(object, annotation.deployWorkflow) === 'true';

/** The deploy revision of the resource; empty before the first deploy. */
export const revisionOf = (object: KubeObject): string => annotated(object, annotation.deployRevision);

/** The deploy state stored in a resource. */
export const deployStored = (object: Deployable): DeployStored => ({
  enabled: object.spec.deploy?.enabled ?? false,
  workflow: hasWorkflow(object),
  pending: pendingOf(object),
  snapshot: snapshotOf(object) !== null,
});
