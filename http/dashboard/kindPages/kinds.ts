import { accessKinds } from './access/access.ts';
import { buildKind } from './build/build.tsx';
import { databaseKind } from './database/database.tsx';
import { objectStoreKind } from './objectStore/objectStore.tsx';
import type { AnyKindPage } from './kindPage.ts';

const pages: readonly AnyKindPage[] = [buildKind, databaseKind, objectStoreKind, ...accessKinds];
const byKind = new Map(pages.map((page) => [page.kind, page]));
const byPlural = new Map(pages.map((page) => [page.plural, page]));

/** The additions of a kind to the pages; undefined for a kind without any. */
export const kindPageOf = (kind: string): AnyKindPage | undefined => byKind.get(kind);

/** The kind and the name of the object in an instance's id. */
export function objectOf(id: string): { readonly page: AnyKindPage | undefined; readonly name: string } {
  const [plural = '', name = ''] = id.split(':');
  return { page: byPlural.get(plural), name };
}

/** The plural of one or more kinds, for sentences. */
export function instancesOf(kinds: readonly string[]): string {
  const [kind = '', ...others] = kinds;
  return others.length === 0 ? (kindPageOf(kind)?.label ?? 'instances') : 'instances';
}
