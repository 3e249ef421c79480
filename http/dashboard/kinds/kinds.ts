import { accessKinds } from './access/access.ts';
import { buildKind } from './build/build.tsx';
import { databaseKind } from './database/database.tsx';
import type { AnyKindPage } from './kindPage.ts';

const pages: readonly AnyKindPage[] = [buildKind, databaseKind, ...accessKinds];
const byKind = new Map(pages.map((page) => [page.kind, page]));
const byPlural = new Map(pages.map((page) => [page.plural, page]));

/** What a kind adds to the pages; nothing where it needs nothing of its own. */
export const kindPageOf = (kind: string): AnyKindPage | undefined => byKind.get(kind);

/** The kind and the name of the object that an instance's id names. */
export function objectOf(id: string): { readonly page: AnyKindPage | undefined; readonly name: string } {
  const [plural = '', name = ''] = id.split(':');
  return { page: byPlural.get(plural), name };
}

/** Several instances of kinds, in a sentence. */
export function instancesOf(kinds: readonly string[]): string {
  const [kind = '', ...others] = kinds;
  return others.length === 0 ? (kindPageOf(kind)?.word ?? 'instances') : 'instances';
}
