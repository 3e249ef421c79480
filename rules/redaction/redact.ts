import type { KubeObject, Metadata } from '../../crds/kind.ts';
import type { KindName, ObjectNamed } from '../../crds/kinds.ts';
import { annotation, label } from '../../crds/names.ts';
import type { View } from '../access/needs.ts';
import { copyOf, isVisible, withoutSecrets } from './copy.ts';
import type { Fields } from './fields.ts';
import { kindRows } from './kinds.ts';

/** A copy in which any field may be missing. */
type Part<T> = T extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> }
    : T;

/** The visible parts of an object. */
export interface RedactedCopy<O extends KubeObject> {
  readonly metadata: Metadata;
  readonly spec: Part<O extends { readonly spec: infer Spec } ? Spec : object>;
  readonly status: Part<O extends { readonly status?: infer Status } ? NonNullable<Status> : object>;
}

interface Stored extends KubeObject {
  readonly spec?: object;
  readonly status?: object;
}

const isKind = (kind: string): kind is KindName => Object.hasOwn(kindRows, kind);
const nothing: { readonly spec: Fields; readonly status: Fields } = { spec: {}, status: {} };
const fieldsOf = (kind: string): typeof nothing => (isKind(kind) ? kindRows[kind] : nothing);

/** Whether the lists of a view include objects of a kind. */
export function isListed(kind: string, view: View): boolean {
  if (view === 'whole') return true;
  const listed = isKind(kind) ? kindRows[kind].listed : 'whole';
  return listed === 'viewer' || listed === view;
}

/** Whether a view reads anything of a list in the status of a kind. */
export function isStatusListed(kind: string, list: string, view: View): boolean {
  if (view === 'whole') return true;
  const of = fieldsOf(kind).status[list];
  return of !== undefined && isVisible(of, view);
}

const openMetadata = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
] as const satisfies readonly (keyof Metadata)[];
const openLabels: readonly string[] = Object.values(label);
const openAnnotations: readonly string[] = [annotation.displayName, annotation.paused];

const chosen = (of: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(of).filter(([name]) => names.includes(name)));

/**
 * Keeps only known labels and annotations: any client may write others, and one of them repeats the whole applied
 * object.
 */
const metadataOf = (metadata: Metadata): Metadata => ({
  name: metadata.name,
  ...chosen(metadata, openMetadata),
  labels: chosen(metadata.labels ?? {}, openLabels),
  annotations: chosen(metadata.annotations ?? {}, openAnnotations),
});

/**
 * The visible parts of an object for a view; for a kind without a row only its name. Values of secrets are never
 * included.
 */
export function redact(kind: string, object: Stored, view: View): RedactedCopy<KubeObject> {
  const { metadata, spec = {}, status = {} } = object;
  const fields = fieldsOf(kind);
  if (view === 'whole')
    return {
      metadata,
      spec: withoutSecrets(fields.spec, spec) as object,
      status: withoutSecrets(fields.status, status) as object,
    };
  return {
    metadata: metadataOf(metadata),
    spec: copyOf(fields.spec, spec, view) as object,
    status: copyOf(fields.status, status, view) as object,
  };
}

/** The same for an object of a known kind. */
export const redacted = <Name extends KindName>(
  kind: Name,
  object: ObjectNamed<Name>,
  view: View,
): RedactedCopy<ObjectNamed<Name>> => redact(kind, object, view);
