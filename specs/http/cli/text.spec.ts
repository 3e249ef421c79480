import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { candidatesFor } from '../../../http/cli/completion/candidates.ts';
import { durationMs } from '../../../http/cli/duration.ts';
import { ageText } from '../../../http/cli/text/age.ts';
import { jsonText, logText, plain } from '../../../http/cli/text/plain.ts';
import { tableParts } from '../../../http/cli/text/table.ts';
import { commands } from '../../../http/cli/tree.ts';
import { suite } from '../../support/suite.ts';
import { statusOf } from './cases.ts';
import { scriptedServer } from './scripted.ts';
import { terminal } from './terminal.ts';

const spec = suite('words of the command line');
const coloured = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;:]*m`, 'g');

spec('CLI-250 an age is printed in seconds, minutes, hours below two days, or days', () => {
  const [second, minute, hour] = [1_000, 60_000, 3_600_000];
  const known: readonly (readonly [number, string])[] = [
    [0, '0s'],
    [30 * second, '30s'],
    [minute - 1, '59s'],
    [minute, '1m'],
    [5 * minute, '5m'],
    [hour - 1, '59m'],
    [3 * hour, '3h'],
    [48 * hour - 1, '47h'],
    [48 * hour, '2d'],
    [100 * hour, '4d'],
    [-5, '0s'],
  ];
  for (const [ms, text] of known) assert.is(ageText(ms), text);
  fc.assert(
    fc.property(fc.nat(10 ** 12), (ms) => {
      const [, count = '', unit = ''] = /^(\d+)([smhd])$/.exec(ageText(ms)) ?? [];
      const size = { s: 1, m: 60, h: 3_600, d: 86_400 }[unit] ?? 0;
      assert.ok(Number(count) * size * 1_000 <= ms && ms < (Number(count) + 1) * size * 1_000);
    }),
  );
});

spec('durations are parsed as in Go', () => {
  assert.equal(
    ['90s', '1h30m', '48h', '1.5h', '100ms'].map(durationMs),
    [90_000, 5_400_000, 172_800_000, 5_400_000, 100],
  );
  for (const text of ['', '5', '2d', '-1s', '1e9h', 's', '1h30', ' 1s', '1s ']) assert.is(durationMs(text), null, text);
});

spec('CLI-246 columns are aligned by displayed width and not truncated', async () => {
  const rows = [
    ['日本', 'y'],
    ['a\u0301', ''],
    ['longer-name', 'z'],
  ];
  assert.is(
    await tableParts(['NAME', 'X'])(rows),
    'NAME         X\n日本         y\na\u0301            -\nlonger-name  z\n',
  );
});

spec('CLI-246 a table printed in parts has one header and columns that never become narrower', async () => {
  const part = tableParts(['NAME', 'X']);
  assert.is(await part([['middle', 'y']]), 'NAME    X\nmiddle  y\n');
  assert.is(await part([['a', 'z']]), 'a       z\n');
  assert.is(await part([['much-longer', 'z']]), 'much-longer  z\n');
  assert.is(await tableParts(['NAME', 'X'])([]), 'NAME  X\n');
});

spec('terminal control characters are escaped in tables and messages', () => {
  assert.is(plain('a\u001b[2Jb\nc\u009bd\u202ee\u0000'), 'a\\e[2Jb\\nc\\x9bd\\u202ee\\x00');
  assert.is(jsonText({ a: '\u009b\u001b' }), '{\n  "a": "\\u009b\\u001b"\n}');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.not.match(plain(text), /[\p{Cc}\u202a-\u202e]/u);
      assert.equal(JSON.parse(jsonText({ text })), { text });
      assert.not.match(logText(text).replace(coloured, ''), /(?!\t)\p{Cc}/u);
    }),
  );
});

spec('states are coloured only on a terminal, with the same words', async () => {
  const server = await scriptedServer();
  server.on('GET /apps/web/status', { json: statusOf('web', { message: 'a\u001b[2Jb' }) });
  const shell = terminal({ env: { CORE_URL: server.url, CORE_TOKEN: 't' } });
  const table = async (env: Readonly<Record<string, string>>, outIsTerminal = true) =>
    (await shell.core('status web', { outIsTerminal, env: { CORE_URL: server.url, CORE_TOKEN: 't', ...env } })).out;
  const bare = await table({}, false);
  assert.match(bare, 'a\\e[2Jb');
  assert.match(await table({}), '\u001b[32mready\u001b[39m');
  assert.is((await table({})).replace(coloured, ''), bare);
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) assert.is(await table(env), bare);
  shell.clean();
  await server.stop();
});

spec('completion suggests commands, flags, choices and the kind of names at each position', () => {
  const words = (...typed: readonly string[]) => {
    const found = candidatesFor(typed, commands);
    return found.is === 'words' ? found.words : found.source;
  };
  assert.ok(words('').includes('deploy') && words('').includes('help'));
  assert.equal(words('config', ''), ['get-contexts', 'use-context', 'set-context']);
  assert.is(words('deploy', 'web', ''), 'apps');
  assert.is(words('--json', '-p', 'shop', 'app', 'get', ''), 'apps');
  assert.equal(words('apps', 'get', 'web', ''), []);
  assert.equal(words('logs', 'web', '--level', ''), ['error', 'warn', 'info', 'debug']);
  assert.is(words('--context', ''), 'contexts');
  assert.is(words('deploy', '--project', ''), 'projects');
  assert.ok(words('deploy', '--').includes('--timeout') && words('deploy', '--').includes('--json'));
  assert.equal(words('completion', ''), ['bash', 'zsh', 'fish']);
  assert.equal(words('help', 'env', ''), ['list', 'set', 'unset']);
  assert.is(words('databases', 'connection', ''), 'databases');
});

spec('names are completed, and nothing is printed when the server is silent or no login is saved', async () => {
  const server = await scriptedServer();
  const shell = terminal({ env: { CORE_URL: server.url, CORE_TOKEN: 't' } });
  server.on('GET /apps', { json: { items: [{ name: 'web' }, { name: 'worker' }, { name: 'x\u001b[2J' }] } });
  assert.equal(await shell.core(['__complete', 'deploy', 'w']), { exit: 0, out: 'web\nworker\n', err: '' });
  assert.is((await shell.core(['__complete', 'deploy', ''])).out, 'web\nworker\n');
  server.on('GET /apps', () => {});
  const startedAt = Date.now();
  assert.equal(await shell.core(['__complete', 'deploy', '']), { exit: 0, out: '', err: '' });
  assert.ok(Date.now() - startedAt < 5_000);
  const nobody = { CORE_URL: '', CORE_TOKEN: '' };
  assert.equal(await shell.core(['__complete', 'deploy', ''], { env: nobody }), { exit: 0, out: '', err: '' });
  shell.clean();
  await server.stop();
});

spec.run();
