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

/** Caches the parsed annotation by its text, because it is requested many times in a pass. */
const read = new WeakMap<object, { readonly text: string; readonly spec: unknown }>();

/** The spec as last deployed; null when it is missing or unreadable. */
export function snapshotOf<S>(object: KubeObject & { readonly spec: S }): S | null {
  const text = annotated(object, annotation.lastDeployed);
  if (text === '') return null;
  const before = read.get(object.metadata);
  if (before?.text === text) return before.spec as S | null;
  const spec = specIn(text);
  read.set(object.metadata, { text, spec });
  return spec as S | null;
}

function specIn(text: string): object | null {
  try {
    const spec: unknown = JSON.parse(text);
    return typeof spec === 'object' && spec !== null && !Array.isArray(spec) ? spec : null;
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
