import { readFileSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { manText } from '../../../http/cli/reference/man.ts';
import { referenceText } from '../../../http/cli/reference/markdown.ts';
import { pages } from '../../../http/cli/reference/pages.ts';
import { suite } from '../../support/suite.ts';
import { terminal } from './terminal.ts';

const spec = suite('the reference of the command line');

const files = { 'reference.md': referenceText, 'core.1': manText } as const;
for (const [name, text] of Object.entries(files))
  spec(`${name} is generated from the commands`, () => {
    const path = new URL(`../../../http/cli/${name}`, import.meta.url);
    if (process.env['UPDATE'] === 'reference') writeFileSync(path, text());
    assert.is(readFileSync(path, 'utf8'), text(), 'run UPDATE=reference npm test -- cli/reference');
  });

spec('every command has a help page with its own examples and exit codes', async () => {
  const shell = terminal();
  assert.ok(pages.length > 45);
  for (const { way, leaf } of pages) {
    const { exit, out } = await shell.core(['help', ...way.slice(1)]);
    assert.is(exit, 0, way.join(' '));
    for (const part of ['Usage: core ', 'Examples:\n', 'Exit codes:\n  0 '])
      assert.ok(out.includes(part), way.join(' '));
    assert.ok(
      leaf.examples.length > 0 && leaf.examples.every((example) => example.includes(way.join(' '))),
      way.join(' '),
    );
  }
  shell.clean();
});

/** The words of an example as a shell passes them on, without what it redirects. */
function wordsOf(example: string): readonly string[] {
  const [, line = ''] = /\bcore (.*?)\)?(?: [<>|] .*)?$/.exec(example) ?? [];
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

spec('every example is valid except for a missing login or file', async () => {
  const shell = terminal();
  const examples = pages.flatMap(({ leaf }) => leaf.examples);
  // A login asks the address itself; the addresses of agents are tried in mistakes.spec.ts.
  for (const example of examples.filter((one) => !/^core login|--listen/.test(one))) {
    const { exit, err } = await shell.core(wordsOf(example));
    assert.ok([0, 3, 4].includes(exit) || err.includes('cannot be read'), `${example}: ${err}`);
  }
  shell.clean();
});

spec.run();
