import type { Stored } from '../../store.ts';
import { type Json, jsonAt, textAt } from '../json.ts';
import type { Registry } from '../kinds/registry.ts';
import { type ResourceType, groupVersion } from '../kinds/type.ts';
import type { ApiStore } from '../store/store.ts';
import { labelSelector } from './labelSelector.ts';

/** Why the parameters of a binding cannot be found. */
export class ParamsError extends Error {
  override readonly name = 'ParamsError';
}

/** Where parameters are looked up. */
export interface ParamSource {
  readonly store: ApiStore;
  readonly registry: Registry;
}

interface Asked {
  readonly paramKind: Json | null;
  readonly paramRef: Json | null;
  /** The namespace of the write. */
  readonly namespace: string;
}

/** The objects that a policy is evaluated with, once for each; one null where it has none. */
export function paramsOf({ store, registry }: ParamSource, asked: Asked): readonly (Stored | null)[] {
  const { paramKind, paramRef } = asked;
  if (paramKind === null || paramRef === null) return [null];
  const type = typeOf(registry, paramKind);
  const namespace = paramNamespace(type, paramRef, asked.namespace);
  const name = textAt(paramRef, 'name');
  const found =
    name === ''
      ? selectedParams(store, type, namespace, paramRef)
      : [store.get({ bucket: type.bucket, namespace, name })];
  const there = found.filter((one) => one !== undefined);
  if (there.length === 0 && textAt(paramRef, 'parameterNotFoundAction') === 'Deny')
    throw new ParamsError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return there;
}

function typeOf(registry: Registry, paramKind: Json): ResourceType {
  const [apiVersion, kind] = [textAt(paramKind, 'apiVersion'), textAt(paramKind, 'kind')];
  const type = registry.all().find((one) => one.kind === kind && groupVersion(one) === apiVersion);
  if (type) return type;
  throw new ParamsError(`failed to find resource referenced by paramKind: '${gvkText(apiVersion, kind)}'`);
}

function gvkText(apiVersion: string, kind: string): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return `${group}/${version}, Kind=${kind}`;
}

function paramNamespace(type: ResourceType, paramRef: Json, own: string): string {
  const asked = textAt(paramRef, 'namespace');
  if (!type.namespaced) {
    if (asked === '') return '';
    throw new ParamsError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  if (asked !== '' || own !== '') return asked || own;
  throw new ParamsError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
}

function selectedParams(store: ApiStore, type: ResourceType, namespace: string, paramRef: Json): readonly Stored[] {
  const holds = labelSelector(jsonAt(paramRef, 'selector'));
  const all = store.list(type.bucket, type.namespaced ? namespace : undefined);
  return holds ? all.filter((one) => holds(one.metadata.labels ?? {})) : all;
}
