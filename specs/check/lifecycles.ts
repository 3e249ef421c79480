import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importSource } from '../support/source.ts';
import type { AnySubject } from './subject.ts';
import { Unreadable, whyUnloadable } from './unreadable.ts';

const folder = fileURLToPath(new URL('../lifecycles/', import.meta.url));

const tables = fileURLToPath(new URL('../tables/', import.meta.url));

const namesIn = (path: string, end: string): readonly string[] =>
  readdirSync(path)
    .filter((name) => name.endsWith(end))
    .map((name) => name.slice(0, -end.length))
    .toSorted();

/** The names of all lifecycles: each has one file in specs/lifecycles. */
export const lifecycleNames = (): readonly string[] => namesIn(folder, '.ts');

/** Tables without a lifecycle, and lifecycles without a table, in words. */
export function unpaired(): readonly string[] {
  const [written, held] = [namesIn(tables, '.md').filter((name) => name !== 'README'), lifecycleNames()];
  return [
    ...written
      .filter((name) => !held.includes(name))
      .map((name) => `specs/tables/${name}.md: nothing is held to this table, specs/lifecycles/${name}.ts is missing`),
    ...held
      .filter((name) => !written.includes(name))
      .map((name) => `specs/lifecycles/${name}.ts: its table specs/tables/${name}.md is missing`),
  ];
}

/** An unknown name of a lifecycle. */
export class UnknownLifecycle extends Error {
  override readonly name = 'UnknownLifecycle';
  constructor(asked: string) {
    super(`no lifecycle is called "${asked}"; there are ${lifecycleNames().join(', ')}`);
  }
}

/** Whether it is the name of a lifecycle. */
export const isLifecycle = (name: string): boolean => /^[a-zA-Z]+$/.test(name) && existsSync(`${folder}${name}.ts`);

/** Loads one lifecycle and no other; if that fails, the error names the place. */
export async function lifecycleOf(name: string): Promise<AnySubject> {
  if (!isLifecycle(name)) throw new UnknownLifecycle(name);
  const file = `specs/lifecycles/${name}.ts`;
  const loaded = (await importSource(`${folder}${name}.ts`).catch((cause: unknown) => {
    throw new Unreadable(whyUnloadable(cause, file), { cause });
  })) as { readonly lifecycle?: AnySubject };
  if (!loaded.lifecycle) throw new Unreadable([`${file}: exports no lifecycle`]);
  return loaded.lifecycle;
}
