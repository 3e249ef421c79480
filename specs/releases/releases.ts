import { readdirSync, readFileSync } from 'node:fs';
import type { CustomResourceDefinition } from '../../crds/manifest.ts';

const folder = new URL('./', import.meta.url);

/** The releases whose kinds are kept, with their definitions. */
export const releases: readonly (readonly [tag: string, kinds: readonly CustomResourceDefinition[]])[] = readdirSync(
  folder,
)
  .filter((name) => name.endsWith('.ndjson'))
  .map((name) => [
    name.slice(0, -'.ndjson'.length),
    readFileSync(new URL(name, folder), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as CustomResourceDefinition),
  ]);
