import type { CloudBucket, Upload, Version } from './state.ts';

/** Keys in the order of their bytes. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export interface Page<A> {
  readonly items: readonly A[];
  readonly isTruncated: boolean;
}

/** The first of the items; later ones are not visited. */
export function pageOf<A>(items: Iterable<A>, size: number): Page<A> {
  const page: A[] = [];
  for (const item of items) {
    if (page.length === size) return { items: page, isTruncated: true };
    page.push(item);
  }
  return { items: page, isTruncated: false };
}

export interface ListedObject extends Version {
  readonly key: string;
}

export interface ListedVersion extends ListedObject {
  readonly isLatest: boolean;
}

/** The newest version of each key, without delete markers. */
export function* currentObjects({ versions }: CloudBucket, prefix: string): Generator<ListedObject> {
  for (const key of keysUnder(versions.keys(), prefix)) {
    const newest = versions.get(key)?.at(-1);
    if (newest && newest.body !== null) yield { key, ...newest };
  }
}

/** Every version and marker, the newest of each key first. */
export function* everyVersion({ versions }: CloudBucket, prefix: string): Generator<ListedVersion> {
  for (const key of keysUnder(versions.keys(), prefix))
    for (const [at, version] of (versions.get(key) ?? []).toReversed().entries())
      yield { key, ...version, isLatest: at === 0 };
}

export const uploadsUnder = ({ uploads }: CloudBucket, prefix: string): readonly Upload[] =>
  [...uploads.values()]
    .filter(({ key }) => key.startsWith(prefix))
    .toSorted((a, b) => byBytes(a.key, b.key) || byBytes(a.id, b.id));

const keysUnder = (keys: Iterable<string>, prefix: string): readonly string[] =>
  [...keys].filter((key) => key.startsWith(prefix)).toSorted(byBytes);

/** One line of a list: what is sorted under a name, or null for a folder. */
export interface Line<A> {
  readonly name: string;
  readonly object: A | null;
}

/** Objects and folders of one level, each under the name it is sorted by. */
export function* levelOf<A extends { readonly key: string }>(
  objects: Iterable<A>,
  prefix: string,
  delimiter: string,
): Generator<Line<A>> {
  let folder: string | null = null;
  for (const object of objects) {
    const end = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length);
    if (end === -1) {
      yield { name: object.key, object };
      continue;
    }
    const name = object.key.slice(0, end + delimiter.length);
    if (name !== folder) yield { name, object: null };
    folder = name;
  }
}

export interface After {
  readonly after: string | null;
  readonly afterId?: string | null;
}

/** The lines after a name, and of that name those after an id. */
export function* linesAfter<A extends { readonly id: string }>(
  lines: Iterable<Line<A>>,
  { after, afterId = null }: After,
): Generator<Line<A>> {
  let isPast = after === null;
  for (const line of lines) {
    isPast ||= byBytes(line.name, after ?? '') > 0;
    if (isPast) yield line;
    isPast ||= line.name === after && afterId !== null && line.object?.id === afterId;
  }
}
