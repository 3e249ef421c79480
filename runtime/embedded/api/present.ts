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
export function formOf(request: IncomingMessage): Form {
  const accept = request.headers.accept ?? '*/*';
  for (const range of accept.split(',')) {
    const [media = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (!['application/json', 'application/yaml', 'application/*', '*/*', ''].includes(media)) continue;
    const as = parameters.find((one) => one.startsWith('as='))?.slice(3);
    if (as === undefined) return 'object';
    if (as === 'Table' && parameters.includes('v=v1')) return 'table';
    if (as.startsWith('PartialObjectMetadata') && parameters.includes('v=v1')) return 'metadata';
  }
  throw notAcceptable(['application/json', 'application/yaml']);
}

export interface View {
  readonly form: Form;
  readonly type: ResourceType;
  readonly store: ApiStore;
  readonly include: Included;
}

/** One object as JSON text in the form asked for. */
export function objectText({ form, type, store, include }: View, object: Stored, withColumns = true): string {
  if (form === 'table')
    return JSON.stringify(
      tableOf(type, [object], { include, withColumns, resourceVersion: object.metadata.resourceVersion }),
    );
  if (form === 'metadata') return JSON.stringify(partial(object));
  return store.text(fromStored(type, object));
}

/** A list of objects as JSON text in the form asked for. */
export function listText({ form, type, store, include }: View, objects: readonly Stored[], metadata: Json): string {
  if (form === 'table') return JSON.stringify(tableOf(type, objects, { include, withColumns: true, ...metadata }));
  const kind = form === 'metadata' ? 'PartialObjectMetadataList' : type.listKind;
  const apiVersion = form === 'metadata' ? 'meta.k8s.io/v1' : groupVersion(type);
  const items =
    form === 'metadata'
      ? objects.map((object) => JSON.stringify(partial(object)))
      : objects.map((object) => store.text(fromStored(type, object)));
  return `${JSON.stringify({ kind, apiVersion, metadata }).slice(0, -1)},"items":[${items.join(',')}]}`;
}
