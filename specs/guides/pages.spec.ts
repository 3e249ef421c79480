import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { root } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { blocksOf } from './blocks.ts';
import { notPrinted } from './prints.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const ignored = /(?:^|\/)(?:node_modules|dist|\.[^/]+)(?:\/|$)/;
/** Written from the commands, whose examples `http/cli/reference.spec.ts` tries. */
const reference = 'http/cli/reference.md';
const pages = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => !ignored.test(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(root, entry.name), { recursive: true, encoding: 'utf8' }).map((path) => join(entry.name, path))
      : [entry.name],
  )
  .filter((path) => path.endsWith('.md') && path !== reference && !ignored.test(path));
const folder = join(root, 'specs/guides');
/** The pages whose blocks a spec of this folder runs. */
const followed = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/^guide\('(.+)'\)\.run\(\);$/gm)].map(([, page]) => page),
  );

const spec = suite('blocks of the guides');

spec('every block of every page runs or gives the reason for being skipped', () => {
  for (const page of pages) {
    const blocks = blocksOf(read(page));
    if (blocks.length === 0) continue;
    const notRun = blocks.filter((block) => block.notRun !== null);
    process.stdout.write(`${page}: ${blocks.length - notRun.length} blocks run, ${notRun.length} do not\n`);
    for (const { line, notRun: why } of blocks)
      assert.ok(
        (why ?? '').length > 10 || followed.includes(page),
        `${page}:${line}: neither does a spec run it, nor does a comment say why not`,
      );
  }
});

spec('a block is skipped when a comment before it gives the reason', () => {
  const page = ['<!-- not run: it takes long -->', '', '```sh', 'sleep 9', '```', '', '```sh', 'true', '```'].join(
    '\n',
  );
  assert.equal(
    blocksOf(page).map(({ line, commands, notRun }) => [line, commands, notRun]),
    [
      [4, 'sleep 9', 'it takes long'],
      [8, 'true', null],
    ],
  );
});

spec('a fence without a language is the expected output of the block before, in the same section', () => {
  const page = (between: string) => ['```sh', 'true', '```', between, '```', 'ready', '```'].join('\n');
  assert.is(blocksOf(page('It prints:'))[0]?.prints, 'ready');
  assert.is(blocksOf(page('## Another'))[0]?.prints, null);
});

spec('expected lines must be printed in order, with any text for … and ***', () => {
  assert.is(notPrinted('a 1\nb\nc 2\n', 'a …\nc ***'), null);
  assert.is(notPrinted('c 2\na 1\n', 'a …\nc …'), 'c …');
  assert.is(notPrinted('a.b\n', 'a+b'), 'a+b');
});

spec.run();
