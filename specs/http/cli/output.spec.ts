import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Page, pages } from '../../../http/cli/reference/pages.ts';
import { suite } from '../../support/suite.ts';
import { cases } from './cases.ts';
import { scriptedServer, type Scripted } from './scripted.ts';
import { terminal, type Terminal } from './terminal.ts';

const spec = suite('output of commands');
let server: Scripted;
let shell: Terminal;

spec.before(async () => {
  server = await scriptedServer();
});
spec.before.each(() => {
  server.forget();
  shell = terminal({ env: { CORE_URL: server.url, CORE_TOKEN: 'secret-token' } });
});
spec.after.each(() => shell.clean());
spec.after(() => server.stop());

/** Those that print plain text whatever is asked for (document 002, Output rules), and those that are no answers. */
const plainAlways = new Set(
  [
    'scale|rollback|env set|env unset|apps create|apps delete|nodes tag|compliance set|compliance clear',
    'functions triggers add|functions triggers remove|logout|config use-context|config set-context',
    'completion|help|mcp|login',
  ].flatMap((names) => names.split('|')),
);
/** Those that need no API, or a file. */
const local = new Set(['config get-contexts', 'version', 'whoami', 'functions update']);

/** The words of a page by which a line is recognized, aliases and the group `apps` apart. */
const aliases: Readonly<Record<string, string>> = { fn: 'functions', function: 'functions', ls: 'list' };
const ownWords = (line: readonly string[]) => line.map((word) => aliases[word] ?? word);
const pageOf = (line: readonly string[]): Page | undefined =>
  pages.find(({ way }) => way.slice(1).every((word, at) => ownWords(line)[at] === word));

spec('CLI-247 CLI-248 CLI-249 every command prints JSON with --json, except those that print plain text', async () => {
  const seen = new Set<string>();
  for (const { line, answers } of cases) {
    const name = (pageOf(line)?.way ?? []).slice(1).join(' ');
    seen.add(name);
    server.forget();
    for (const [route, given] of Object.entries(answers)) server.on(route, ...given);
    const { exit, out } = await shell.core([...line, '--json']);
    assert.is(exit, 0, line.join(' '));
    if (plainAlways.has(name)) continue;
    const texts = name === 'logs' ? out.split(/\n(?=\{)/) : [out];
    for (const text of texts) assert.type(JSON.parse(text), 'object', `${line.join(' ')}: ${out}`);
  }
  const all = pages.map(({ way }) => way.slice(1).join(' '));
  assert.equal(
    all.filter((name) => !seen.has(name) && !plainAlways.has(name) && !local.has(name)),
    [],
    'every command is among the cases',
  );
});

spec('CLI-247 functions update prints the answer of its last request', async () => {
  const file = join(shell.folder, 'fn.ts');
  writeFileSync(file, 'export default () => 1;\n');
  server.on('PATCH /apps/fn', { json: { name: 'fn', pendingChanges: true } });
  server.on('POST /apps/fn/deploy', { json: { name: 'fn', deployed: true } });
  const update = async (...flags: readonly string[]) => shell.core(['functions', 'update', 'fn', file, ...flags]);
  assert.equal(JSON.parse((await update('--json')).out), { name: 'fn', pendingChanges: true });
  assert.equal(JSON.parse((await update('--json', '--deploy')).out), { name: 'fn', deployed: true });
  assert.equal(await update(), { exit: 0, out: "fn updated\npending: run 'core deploy fn' to apply it\n", err: '' });
});

const hostile = 'a\u001b[2J\u001b]0;title\u0007b\u009bc\u202ed\re\u0000';
const escaped = 'a\\e[2J\\e]0;title\\x07b\\x9bc\\u202ed\\re\\x00';
const obeyed = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const colours = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]*m`, 'g');

/** The same answer with every text made hostile, but for those that a command goes on with. */
function poisoned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(poisoned);
  if (typeof value === 'string') return `${value}${hostile}`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, goesOn.has(name) ? one : poisoned(one)]));
}
const goesOn = new Set(['name', 'id', 'source', 'database', 'createdAt', 'phase']);

spec('no command prints a terminal control sequence from the API', async () => {
  for (const { line, answers } of cases)
    for (const status of [200, 400]) {
      server.forget();
      for (const [route, given] of Object.entries(answers))
        server.on(
          route,
          ...given.map((answer) =>
            typeof answer === 'function'
              ? answer
              : { status, json: status === 200 ? poisoned(answer.json) : { error: hostile } },
          ),
        );
      const { out, err } = await shell.core(line, { isTerminal: true, outIsTerminal: true, input: 'y\n' });
      // Colours of states, and those that a line of a log has itself.
      const told = `${out}${err}`.replaceAll(colours, '');
      assert.not.match(told, obeyed, line.join(' '));
      if (status === 400) assert.match(err, escaped, line.join(' '));
    }
});

spec('CLI-255 a function call keeps lines and tabs on a terminal and the exact body in a pipe', async () => {
  server.on('POST /apps/fn/call', { json: { status: 200, body: `one\ttwo\n${hostile}\n` } });
  const line = 'functions call fn';
  assert.is((await shell.core(line, { outIsTerminal: true })).out, `one\ttwo\n${escaped}\n`);
  assert.is((await shell.core(line)).out, `one\ttwo\n${hostile}\n`);
});

spec('the raw API command escapes plain texts and stream lines on a terminal', async () => {
  server.on('GET /builds/b/log', (response) => void response.end(`line\n${hostile}\n`));
  server.on('GET /events', (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${hostile.replaceAll('\r', '')}\n\n`);
  });
  const inPipe = [`line\n${hostile}\n`, `${hostile.replaceAll('\r', '')}\n`];
  for (const [at, path] of ['/builds/b/log', '/events'].entries()) {
    const { out } = await shell.core(['api', 'GET', path], { outIsTerminal: true });
    assert.not.match(out, obeyed, path);
    assert.match(out, 'a\\e[2J');
    assert.is((await shell.core(['api', 'GET', path])).out, inPipe[at]);
  }
});

spec.run();
