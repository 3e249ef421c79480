import type { Stored } from '../../store.ts';
import type { Answer } from '../answer.ts';
import { type Call, placeOf } from '../call.ts';
import { readJson } from '../jsonText.ts';
import { fromStored } from '../kinds/versions.ts';
import { scaleOf } from '../kinds/scale.ts';
import { type View, formOf, listText, objectText } from '../present.ts';
import { selected } from '../selected.ts';
import { type Selection, selectionOf } from '../selectors.ts';
import { revisionOf } from '../resourceVersion.ts';
import { badRequest, expired, notFound, pageExpired, tooNew } from '../status.ts';
import { includedOf } from '../table/table.ts';
import { checkListOptions } from './listOptions.ts';
import { snapshotAt } from './snapshot.ts';

/** How the caller wants to see what it gets. */
export function viewOf({ request, type, store, query }: Call): View {
  const { form, version } = formOf(request);
  const include = form === 'table' ? includedOf(query.get('includeObject')) : 'Metadata';
  return { form, version, type, store, include };
}

/** The object that the call is about, of a declared kind in the version asked for. */
export function existing(call: Call): Stored {
  const found = call.store.get(placeOf(call));
  if (!found) throw notFound(call.type, call.name ?? '');
  return call.type.custom ? fromStored(call.type, found) : found;
}

/** One object, whole in the form asked for. */
export function getObject(call: Call): Answer {
  checkReached(call);
  const object = existing(call);
  return { code: 200, text: shownText(call, object) };
}

/** What the call is about in the form asked for: the object, or its scale. */
export function shownText(call: Call, object: Stored): string {
  const view = viewOf(call);
  if (call.subresource !== 'scale') return objectText(view, object);
  const { custom: _, ...type } = call.type;
  const scale = { ...type, group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return objectText({ ...view, type: scale }, scaleOf(call.type, object));
}

/** The objects of a resource, page by page where a limit is given. */
export function listObjects(call: Call): Answer {
  const { type, query } = call;
  const page = pageOf(call, checkListOptions(call, false).limit);
  const selection = selectionOf(query, type);
  const all = objectsAt(call, page, selection);
  const { after, limit } = page;
  const rest = after === null ? all : all.slice(firstAfter(all, after));
  const items = limit > 0 ? rest.slice(0, limit) : rest;
  const left = rest.length - items.length;
  const metadata = {
    resourceVersion: String(page.revision),
    ...(left > 0 && { continue: tokenOf(page.revision, items.at(-1)) }),
    ...(left > 0 && selection === null && { remainingItemCount: left }),
  };
  return { code: 200, text: listText(viewOf(call), items, metadata) };
}

const unlisted = (why: string) => badRequest(`invalid resource version: ${why}`);

type Position = readonly [namespace: string, name: string];

interface Page {
  readonly limit: number;
  readonly revision: number;
  /** Whether the objects are shown as they were at the version, and not as they are now. */
  readonly exact: boolean;
  /** Namespace and name of the last object of the page before. */
  readonly after: Position | null;
}

function pageOf(call: Call, limit: number): Page {
  const { query } = call;
  const token = query.get('continue');
  const position = token ? parseToken(token) : null;
  const current = checkReached(call, unlisted);
  const asked = revisionOf(query.get('resourceVersion'), unlisted);
  if (!position) {
    const match = query.get('resourceVersionMatch') ?? '';
    const exact = match === 'Exact' || (match === '' && limit > 0 && asked > 0);
    return { limit, revision: exact ? asked : current, exact, after: null };
  }
  if (asked > 0) throw badRequest('specifying resource version is not allowed when using continue');
  const [at, ...after] = position;
  return at === latest
    ? { limit, revision: current, exact: false, after }
    : { limit, revision: at, exact: true, after };
}

function objectsAt(call: Call, { revision, exact, after }: Page, selection: Selection | null): readonly Stored[] {
  const { store, type, namespace } = call;
  if (!exact || revision === store.revision()) return selected(store, { bucket: type.bucket, namespace }, selection);
  const all = snapshotAt(store, type.bucket, revision);
  if (all === null) throw after === null ? expired(listTooOld) : pageExpired(encoded(latest, after));
  return all.filter(
    (object) =>
      (namespace === '' || object.metadata.namespace === namespace) && (selection === null || selection.holds(object)),
  );
}

const listTooOld = 'The resourceVersion for the provided list is too old.';
const isAfter = ({ metadata }: Stored, [namespace, name]: Position) => {
  const own = metadata.namespace ?? '';
  return own === namespace ? metadata.name > name : own > namespace;
};

/** Where the objects after a position begin: they are in order. */
function firstAfter(objects: readonly Stored[], position: Position): number {
  let [low, high] = [0, objects.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const object = objects[middle];
    if (object && isAfter(object, position)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The version in a token that goes on with what there is now. */
const latest = -1;

const tokenOf = (revision: number, last: Stored | undefined) =>
  encoded(revision, [last?.metadata.namespace ?? '', last?.metadata.name ?? '']);

const encoded = (revision: number, after: Position) =>
  Buffer.from(JSON.stringify([revision, ...after])).toString('base64url');

function parseToken(token: string): readonly [number, string, string] {
  const strange = token.search(/[^A-Za-z0-9_-]/);
  const broken = strange < 0 && token.length % 4 === 1 ? token.length - 1 : strange;
  if (broken >= 0) throw noToken(`illegal base64 data at input byte ${broken}`);
  const read = readJson(Buffer.from(token, 'base64url').toString());
  if (read.why !== undefined) throw noToken(read.why);
  const [at, namespace, name] = Array.isArray(read.value) ? (read.value as unknown[]) : [];
  if (typeof at === 'number' && typeof namespace === 'string' && typeof name === 'string') return [at, namespace, name];
  throw noToken('it names no place in a list');
}

const noToken = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);

/** The current version, refusing a request for one that is not reached yet. */
function checkReached({ query, store }: Call, refuse?: typeof unlisted): number {
  const current = store.revision();
  const asked = revisionOf(query.get('resourceVersion'), refuse);
  if (asked > current) throw tooNew(asked, current);
  return current;
}
