import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import type { Listed, ListOptions } from '../../runtime/services/cluster/cluster.ts';
import { numbers } from '../support/random.ts';
import { suite } from '../support/suite.ts';
import { withShuffledLists } from './services/shuffled.ts';
import { environmentWith } from './services/environment.ts';

const spec = suite('faults: lists in any order');

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** The names of a list, page by page, and the versions of the pages. */
async function listed(seed: number) {
  const { memory, make } = environmentWith();
  await make(...names);
  const cluster = withShuffledLists(memory, numbers(seed));
  const pages: string[][] = [];
  const versions = new Set<string>();
  for (let options: ListOptions | null = { limit: 500 }; options !== null;) {
    const page: Listed<CoreBuild> = await Effect.runPromise(cluster.list(builds, options));
    pages.push(page.items.map(({ metadata }) => metadata.name));
    versions.add(page.resourceVersion);
    options = page.continue === undefined ? null : { limit: 500, continue: page.continue };
  }
  const { items } = await Effect.runPromise(cluster.list(builds));
  return { pages, versions, whole: items.map(({ metadata }) => metadata.name) };
}

spec('a list in small pages has every object once, in an order of the seed, at one version', async () => {
  const { pages, versions } = await listed(1);
  assert.equal(pages.flat().toSorted(), names);
  assert.not.equal(pages.flat(), names);
  assert.ok(pages.length > 2 && pages.every(({ length }) => length > 0 && length <= 3), `${pages.length} pages`);
  assert.is(versions.size, 1);
  assert.equal((await listed(1)).pages, pages);
  assert.not.equal((await listed(2)).pages.flat(), pages.flat());
});

spec('a list without a limit is complete', async () => {
  assert.equal((await listed(1)).whole.toSorted(), names);
});

spec.run();
