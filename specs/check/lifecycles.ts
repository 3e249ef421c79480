import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AnySubject } from './subject.ts';

const folder = fileURLToPath(new URL('../lifecycles/', import.meta.url));

/** The names of all lifecycles: one file of specs/lifecycles each. */
export const lifecycleNames = (): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replace(/\.ts$/, ''))
    .toSorted();

/** A name that no lifecycle has. */
export class UnknownLifecycle extends Error {
  override readonly name = 'UnknownLifecycle';
  constructor(asked: string) {
    super(`no lifecycle is called "${asked}"; there are ${lifecycleNames().join(', ')}`);
  }
}

/** Loads one lifecycle, and nothing of the others. */
export async function lifecycleOf(name: string): Promise<AnySubject> {
  const file = `${folder}${name}.ts`;
  if (!/^[a-zA-Z]+$/.test(name) || !existsSync(file)) throw new UnknownLifecycle(name);
  const { lifecycle } = (await import(pathToFileURL(file).href)) as { readonly lifecycle: AnySubject };
  return lifecycle;
}
