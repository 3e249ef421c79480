import type { Stored } from '../../store.ts';
import { type Answer, json } from '../answer.ts';
import { type Call, placeOf } from '../call.ts';
import { scaleOf } from '../kinds/scale.ts';
import { type View, formOf, listText, objectText } from '../present.ts';
import { selected } from '../selected.ts';
import { selectionOf } from '../selectors.ts';
import { badRequest, expired, notFound, tooNew } from '../status.ts';
import { includedOf } from '../table/table.ts';

/** How the caller wants to see what it gets. */
export const viewOf = ({ request, type, store, query }: Call): View => ({
  form: formOf(request),
  type,
  store,
  include: includedOf(query.get('includeObject')),
});

export function existing(call: Call): Stored {
  const found = call.store.get(placeOf(call));
  if (!found) throw notFound(call.type, call.name ?? '');
  return found;
}

/** One object, whole in the form asked for. */
export function getObject(call: Call): Answer {
  checkReached(call);
  const object = existing(call);
  if (call.subresource === 'scale') return json(scaleOf(call.type, object));
  return { code: 200, text: objectText(viewOf(call), object) };
}

/** The objects of a resource, page by page where a limit is given. */
export function listObjects(call: Call): Answer {
  const { store, type, namespace, query } = call;
  const revision = checkReached(call);
  const page = pageOf(call, revision);
  const selection = selectionOf(query, type.kind);
  const all = selected(store, { bucket: type.bucket, namespace }, selection);
  const rest = page.after === null ? all : all.filter((object) => isAfter(object, page.after ?? []));
  const items = page.limit > 0 ? rest.slice(0, page.limit) : rest;
  const left = rest.length - items.length;
  const metadata = {
    resourceVersion: page.revision,
    ...(left > 0 && { continue: tokenOf(page.revision, items.at(-1)) }),
    ...(left > 0 && selection === null && { remainingItemCount: left }),
  };
  return { code: 200, text: listText(viewOf(call), items, metadata) };
}

interface Page {
  readonly limit: number;
  readonly revision: string;
  /** Namespace and name of the last object of the page before. */
  readonly after: readonly [string, string] | null;
}

function pageOf({ query, store, type }: Call, revision: number): Page {
  const limit = Number(query.get('limit') ?? 0) || 0;
  const token = query.get('continue');
  if (!token) return { limit, revision: String(revision), after: null };
  const [at, namespace, name] = parseToken(token);
  // The pages of one list share a version; a watch from it tells what changed between them.
  if (store.changesAfter(type.bucket, at) === null)
    throw expired('The provided continue parameter is too old to display a consistent list result.');
  return { limit, revision: String(at), after: [namespace, name] };
}

const isAfter = ({ metadata }: Stored, [namespace = '', name = '']: readonly string[]) => {
  const own = metadata.namespace ?? '';
  return own === namespace ? metadata.name > name : own > namespace;
};

const tokenOf = (revision: string, last: Stored | undefined) =>
  Buffer.from(JSON.stringify([Number(revision), last?.metadata.namespace ?? '', last?.metadata.name ?? ''])).toString(
    'base64url',
  );

function parseToken(token: string): readonly [number, string, string] {
  try {
    const [at, namespace, name] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[];
    if (typeof at === 'number' && typeof namespace === 'string' && typeof name === 'string')
      return [at, namespace, name];
  } catch {
    // Said below: what is not JSON is no token of ours either.
  }
  throw badRequest('continue key is not valid');
}

/** The current version, refusing a request for one that is not reached yet or, if it must be exact, is over. */
function checkReached({ query, store, type }: Call): number {
  const current = store.revision();
  const asked = revisionOf(query.get('resourceVersion'));
  if (asked > current) throw tooNew(asked, current);
  if (query.get('resourceVersionMatch') === 'Exact' && store.changesAfter(type.bucket, asked)?.length !== 0)
    throw expired(`The resourceVersion for the provided list is too old: ${asked} (${current})`);
  return current;
}

/** A resourceVersion in a query; 0 when there is none. */
export function revisionOf(text: string | null): number {
  if (text === null || text === '') return 0;
  if (!/^\d+$/.test(text))
    throw badRequest(`resourceVersion: Invalid value: ${JSON.stringify(text)}: must be a number`);
  return Number(text);
}
