import { execFileSync, spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { root } from '../../support/product.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { until } from '../../support/until.ts';
import { statusOf, summary } from './cases.ts';
import { scriptedServer, type Scripted } from './scripted.ts';

const spec = suite('commands in a terminal');
const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const test = unless(spec, hasTmux ? null : 'there is no tmux');
const socket = `core-spec-${process.pid}`;
const tmux = (...words: readonly string[]): string =>
  execFileSync('tmux', ['-L', socket, ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], TERM: 'xterm' },
  });

let server: Scripted;

/** A shell in a terminal of this size, whose `core` asks the scripted server. */
function opened(columns: number, more: Readonly<Record<string, string>> = {}) {
  const env = {
    CORE_URL: server.url,
    CORE_TOKEN: 'token-of-nobody',
    CORE_CONFIG: '/nonexistent/core.json',
    PS1: '> ',
    ...more,
  };
  const given = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const size = ['-x', String(columns), '-y', '30'];
  tmux('new-session', '-d', '-s', 'one', ...size, ...given, 'sh');
  const seen = (...flags: readonly string[]) => tmux('capture-pane', '-p', '-J', ...flags, '-t', 'one');
  return {
    seen,
    keys: (...keys: readonly string[]) => void tmux('send-keys', '-t', 'one', ...keys),
    type: (line: string) =>
      void tmux(
        'send-keys',
        '-t',
        'one',
        `${process.execPath} ${root}dist/core.js ${line}; echo "ended with $?"`,
        'Enter',
      ),
    shows: (text: RegExp) => until(() => text.test(seen()), `the terminal shows ${String(text)}`),
    resize: (width: number) => void tmux('resize-window', '-t', 'one', '-x', String(width)),
    close: () => void tmux('kill-session', '-t', 'one'),
  };
}

const url = 'https://a-service-with-a-rather-long-name.shop.example.com/that/leads/far';

spec.before(async () => {
  server = await scriptedServer();
  // Without a session the server of tmux ends, and the next one would meet it on its way out.
  if (hasTmux) tmux('new-session', '-d', '-s', 'held', 'sh');
  server.on('GET /apps', { json: { items: [summary('web')] } });
  server.on('GET /apps/web/status', { json: statusOf('web', { url }) });
  server.on('DELETE /apps/web', { json: { name: 'web', kind: 'CoreApp', deleted: true } });
  server.on('GET /apps/web/logs/stream', (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const line = '\u001b[31mred\u001b[0m and \u001b]0;a title\u0007 then \u001b[2Jgone';
    response.write(`id: 1\ndata: ${JSON.stringify({ t: '2026-01-01T10:11:12.000Z', pod: 'web-x1', line })}\n\n`);
  });
});
spec.after(() => {
  spawnSync('tmux', ['-L', socket, 'kill-server']);
  return server.stop();
});

test('states are coloured unless NO_COLOR is set, and a table is complete at 80 and 200 columns', async () => {
  for (const [columns, env] of [
    [80, {}],
    [200, {}],
    [200, { NO_COLOR: '1' }],
  ] as const) {
    const screen = opened(columns, env);
    screen.type('status');
    await screen.shows(/ended with 0/);
    assert.is(screen.seen('-e').includes('[32mready'), !('NO_COLOR' in env));
    assert.match(screen.seen(), url);
    assert.match(screen.seen(), 'Service is running');
    screen.close();
  }
});

test('a followed log keeps only its colours, continues after a resize and ends with 0 on Ctrl-C', async () => {
  const screen = opened(80);
  screen.type('logs web -f');
  await screen.shows(/10:11:12 x1 red and {2}then gone/);
  screen.resize(200);
  screen.resize(40);
  assert.match(screen.seen('-e'), '[31mred');
  assert.is(tmux('display-message', '-p', '-t', 'one', '#{pane_title}').includes('a title'), false);
  screen.keys('C-c');
  await screen.shows(/ended with 0/);
  screen.close();
});

test('a deletion asks for confirmation, and Ctrl-C or any other answer deletes nothing', async () => {
  const answered = async (keys: readonly string[], shown: RegExp) => {
    const screen = opened(80);
    screen.type('apps delete web');
    await screen.shows(/Delete app "web"\? This cannot be undone\. \[y\/N\]/);
    screen.keys(...keys);
    await screen.shows(shown);
    screen.close();
  };
  await answered(['n', 'Enter'], /Error: cancelled\nended with 1/);
  await answered(['C-d'], /Error: cancelled\nended with 1/);
  // A shell that sees its command die of a signal goes no further in the line.
  await answered(['C-c'], /\^C\n[>#$]/);
  assert.not.ok(server.asked().includes('DELETE /apps/web'));
  await answered(['yes', 'Enter'], /Deleted web\nended with 0/);
});

spec.run();
