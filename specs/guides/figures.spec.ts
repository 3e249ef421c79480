import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { type Figure, wrongIn } from './figures/compare.ts';
import { crds, http, readme } from './figures/product.ts';
import { embedded, running, security } from './figures/running.ts';
import { cluster, contributing, faults, specs } from './figures/specification.ts';
import { textOf } from './figures/written.ts';

const pages: Readonly<Record<string, readonly Figure[]>> = {
  'README.md': readme,
  'crds/README.md': crds,
  'http/README.md': http,
  'runtime/README.md': running,
  'runtime/embedded/README.md': embedded,
  'specs/README.md': specs,
  'specs/cluster/README.md': cluster,
  'specs/faults/README.md': faults,
  'CONTRIBUTING.md': contributing,
  'SECURITY.md': security,
};

const spec = suite('figures of the guides');

for (const [path, figures] of Object.entries(pages))
  spec(`every figure in ${path} equals the code`, () => {
    const wrong = wrongIn(textOf(path), figures).map(
      (line) => `
  ${path}:${line}`,
    );
    assert.ok(wrong.length === 0, wrong.join(''));
  });

const page = ['It gives up after', 'five failures, and', 'keeps 1,000 of them.'].join('\n');

spec('a wrong figure is reported with its line', () => {
  const figures: readonly Figure[] = [
    ['gives up after {} failures', 6],
    ['keeps {} of', 1_000],
  ];
  assert.equal(wrongIn(page, figures), ['2: "gives up after {} failures" says five, it is 6']);
});

spec('a sentence missing on the page is reported', () => {
  const figures: readonly Figure[] = [
    ['gives up after {} failures, and keeps {}', 5, 1_000],
    ['keeps {} forever', 1_000],
  ];
  assert.equal(wrongIn(page, figures), ['1: the page does not say "keeps {} forever"']);
});

spec('an unchecked figure is reported with its line', () => {
  assert.equal(wrongIn(page, [['gives up after {} failures', 5]]), [
    '3: nothing is compared with 1,000, of "… fter five failures, and keeps 1,000 of them. …"',
  ]);
});

spec('code, links, lists, names, decisions and statuses have no figures, and comments of commands have', () => {
  const other = [
    '1. S3 and SHA256, `5`, [two-factor](http://127.0.0.1:7080), decision 56 <!-- 7 -->',
    '',
    'It answers 404, or ends with 1.',
    '```sh',
    'sleep 9',
    '```',
  ];
  assert.equal(wrongIn(other.join('\n'), []), []);
  const commented = other.join('\n').replace('sleep 9', 'sleep 9 # three times');
  assert.equal(wrongIn(commented, []).length, 1);
  assert.equal(wrongIn(commented, [['# {} times', 3]]), []);
});

spec.run();
