import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { plant, wasReached } from './bugs/planting.ts';
import { withReplaceable } from './bugs/replaceableSource.ts';

const spec = suite('replaced functions');

const source = `
export const early = next(1);
export function next(value: number): number {
  return value + 1;
}
export const twice = (value: number): number => next(next(value));
export const limit = { most: 3 } as const;
`;

interface Counting {
  readonly early: number;
  readonly next: (value: number) => number;
  readonly twice: (value: number) => number;
  readonly limit: { readonly most: number };
}

const folder = mkdtempSync(join(tmpdir(), 'core-planting-'));
spec.after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'counting.mts');
writeFileSync(file, withReplaceable(source, fileURLToPath(new URL('bugs/planting.ts', import.meta.url))));
const counting = (await import(pathToFileURL(file).href)) as Counting;

const tenMore = (original: Counting['next']) => (value: number) => original(value) + 10;

spec('an unplanted module behaves unchanged, also before its functions are declared', () => {
  assert.is(counting.early, 2);
  assert.is(counting.twice(1), 3);
  assert.equal(counting.limit, { most: 3 });
});

spec('a replacement is called within its own module until another one is planted', () => {
  plant({ of: counting.next, name: 'next', by: tenMore });
  assert.not(wasReached());
  assert.is(counting.twice(1), 23);
  assert.ok(wasReached());
  plant({ of: counting.twice, name: 'twice', by: tenMore });
  assert.not(wasReached());
  assert.is(counting.twice(1), 13);
  assert.ok(wasReached());
});

spec('only a function exported by the product can be replaced', () => {
  for (const of of [counting.limit, () => 1, undefined])
    assert.throws(() => plant({ of, name: 'limit', by: () => of }), 'limit is not an export of the product');
});

spec.run();
