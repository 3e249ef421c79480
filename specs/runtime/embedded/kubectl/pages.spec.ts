import { readFileSync, readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../../../support/suite.ts';
import { isExpected } from './expected.ts';
import { pages } from './pages.ts';
import { readTranscript } from './transcript.ts';

const spec = suite('pages of kubectl commands');

spec('every transcript page is played by one spec, and there are enough commands', () => {
  const folder = new URL('./', import.meta.url);
  const played = readdirSync(folder)
    .filter((file) => file.endsWith('.spec.ts'))
    .flatMap((file) => /playing\(\[(.*)\]\)/.exec(readFileSync(new URL(file, folder), 'utf8'))?.[1]?.split(', ') ?? []);
  assert.equal(
    played.map((name) => name.replaceAll("'", '')).toSorted(),
    pages.map(({ name }) => name),
  );
  const commands = pages.flatMap(({ steps }) => steps).filter(({ is }) => is === 'command');
  assert.ok(commands.length >= 150, `${commands.length} commands`);
});

spec('a transcript page is parsed into files, commands, waits and exit codes', () => {
  const page = '```yaml a.yaml\nkind: A\n```\n\n```console\n$ one\nout\n~ two <<E\n> in\n> E\n[3]\n```\n';
  assert.equal(readTranscript(page), [
    { is: 'file', name: 'a.yaml', text: 'kind: A\n' },
    { is: 'command', line: 6, command: 'one', waits: false, expected: ['out'], exit: 0 },
    { is: 'command', line: 8, command: 'two <<E\nin\nE', waits: true, expected: [], exit: 3 },
  ]);
  assert.throws(() => readTranscript('```console\n$ one\n'), /line 1: the block is not closed/);
});

spec('placeholders match varying values, and everything else must be equal', () => {
  const rows: readonly (readonly [readonly string[], readonly string[], boolean])[] = [
    [['NAME   AGE', 'a      <age>'], ['NAME   AGE', 'a      2m3s'], true],
    [['a   <age>   b'], ['a   12s      b'], true],
    [['a <age>'], ['a soon'], false],
    [['<uid>'], ['0a1b2c3d-0000-4000-8000-000000000000'], true],
    [['first', '...', 'last'], ['first', 'last'], true],
    [['first', '...', 'last'], ['first', 'x', 'y', 'last'], true],
    [['first', '...'], ['second'], false],
    [['a'], ['a', 'b'], false],
    [['a.c'], ['abc'], false],
    [[], [], true],
  ];
  for (const [expected, printed, holds] of rows)
    assert.is(isExpected(expected, printed), holds, JSON.stringify([expected, printed]));
});

spec.run();
