import type { IncomingMessage } from 'node:http';
import type { Stored } from '../store.ts';
import type { Json } from './json.ts';
import { fromStored } from './kinds/versions.ts';
import { type ResourceType, groupVersion } from './kinds/type.ts';
import { notAcceptable } from './status.ts';
import type { ApiStore } from './store/store.ts';
import { partial } from './table/partial.ts';
import { type Included, tableOf } from './table/table.ts';

/** The form in which a client wants to see objects. */
type Form = 'object' | 'metadata' | 'table';

/** The first form in the Accept header that there is. */
export function formOf(request: IncomingMessage): Pick<View, 'form' | 'version'> {
  const accept = request.headers.accept ?? '*/*';
  for (const range of accept.split(',')) {
    const [media = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (!['application/json', 'application/yaml', 'application/*', '*/*', ''].includes(media)) continue;
    const as = parameters.find((one) => one.startsWith('as='))?.slice(3);
    const version = metaVersions.find((one) => parameters.includes(`v=${one}`));
    if (as === undefined) return { form: 'object', version: 'v1' };
    if (version === undefined) continue;
    if (as === 'Table') return { form: 'table', version };
    if (as.startsWith('PartialObjectMetadata')) return { form: 'metadata', version };
  }
  throw notAcceptable(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']);
}

const metaVersions = ['v1', 'v1beta1'] as const;

export interface View {
  readonly form: Form;
  /** Of the group that tables and bare metadata belong to. */
  readonly version: (typeof metaVersions)[number];
  readonly type: ResourceType;
  readonly store: ApiStore;
  readonly include: Included;
}

/** An object of a declared kind in the version asked for, whatever form it is then shown in. */
const inDeclared = (type: ResourceType, object: Stored) => (type.custom ? fromStored(type, object) : object);

/** One object as JSON text in the form asked for. */
export function objectText(view: View, stored: Stored, withColumns = true): string {
  const { form, version, type, store, include } = view;
  const object = inDeclared(type, stored);
  if (form === 'table')
    return JSON.stringify(
      tableOf(type, [object], { include, version, withColumns, resourceVersion: object.metadata.resourceVersion }),
    );
  if (form === 'metadata') return JSON.stringify(partial(object, version));
  return store.text(fromStored(type, object));
}

/** A list of objects as JSON text in the form asked for. */
export function listText(
  { form, version, type, store, include }: View,
  stored: readonly Stored[],
  metadata: Json,
): string {
  const objects = type.custom ? stored.map((object) => inDeclared(type, object)) : stored;
  if (form === 'table')
    return JSON.stringify(tableOf(type, objects, { include, version, withColumns: true, ...metadata }));
  // Lists of declared kinds say that there is no more, those of built-in kinds say nothing then.
  const whole = form === 'object' && type.custom ? { continue: '', ...metadata } : metadata;
  const kind = form === 'metadata' ? 'PartialObjectMetadataList' : type.listKind;
  const apiVersion = form === 'metadata' ? `meta.k8s.io/${version}` : groupVersion(type);
  const items =
    form === 'metadata'
      ? objects.map((object) => JSON.stringify(partial(object, version)))
      : objects.map((object) => itemText(type, store.text(fromStored(type, object))));
  return `${JSON.stringify({ kind, apiVersion, metadata: whole }).slice(0, -1)},"items":[${items.join(',')}]}`;
}

/** An item of a list as a real server writes it: only items of declared kinds name their kind. */
function itemText(type: ResourceType, text: string): string {
  const head = `{"apiVersion":${JSON.stringify(groupVersion(type))},"kind":${JSON.stringify(type.kind)},`;
  return type.custom || !text.startsWith(head) ? text : `{${text.slice(head.length)}`;
}
