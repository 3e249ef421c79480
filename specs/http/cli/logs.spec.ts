import type { ServerResponse } from 'node:http';
import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { type Answer, scriptedServer, type Scripted } from './scripted.ts';
import { terminal, type Terminal } from './terminal.ts';

const spec = suite('logs in a terminal');
let server: Scripted;
let shell: Terminal;

spec.before(async () => {
  server = await scriptedServer();
});
spec.before.each(() => {
  server.forget();
  shell = terminal({ env: { CORE_URL: server.url, CORE_TOKEN: 'token' } });
});
spec.after.each(() => shell.clean());
spec.after(() => server.stop());

const line = (text: string, second = 1) => ({
  t: `2026-01-01T10:20:0${second}.123Z`,
  service: 'web',
  pod: 'web-5d9c-x2k4q',
  container: 'app',
  line: text,
  level: 'info',
});
const stream = '/apps/web/logs/stream';
const eventOf = (id: number, text: string) => `id: ${id}.web-5d9c-x2k4q.app.0\ndata: ${JSON.stringify(line(text))}\n\n`;
const begin = (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/event-stream' });
/** Sends a part of a stream, and breaks off or ends. */
const part =
  (text: string, then: 'breaks' | 'ends' | 'stays'): Answer =>
  (response) => {
    begin(response);
    response.write(`: beat\n\n${text}`);
    if (then === 'ends') response.end();
    if (then === 'breaks') setTimeout(() => response.destroy(), 20);
  };
const end = 'event: end\ndata: {"reason":"the service was deleted"}\n\n';

spec(
  'CLI-166 CLI-167 CLI-168 CLI-170 CLI-172 CLI-176 CLI-177 logs prints the newest lines in UTC with the suffix of the pod',
  async () => {
    server.on('GET /apps/web/logs', {
      json: { items: [line('one'), line('two', 2)], missing: [{ pod: 'web-2', why: 'it is gone' }] },
    });
    const { exit, out, err } = await shell.core('logs web');
    assert.equal(
      [exit, out, err],
      [0, '10:20:01 x2k4q one\n10:20:02 x2k4q two\n', 'web-2 could not be read: it is gone\n'],
    );
    assert.equal(server.reached[0]?.query, { tail: '200' });
    await shell.core(['logs', 'web', '--tail', '1000', '--since', '168h', '--level', 'warn', '--search', '-p x']);
    assert.equal(server.reached[1]?.query, { tail: '1000', since: '168h', level: 'warn', q: '-p x' });
    const json = await shell.core('logs web --json');
    assert.is(json.out, `${JSON.stringify(line('one'), null, 2)}\n${JSON.stringify(line('two', 2), null, 2)}\n`);
  },
);

spec('CLI-180 logs reports on standard error that no line matched', async () => {
  server.on('GET /apps/web/logs', { json: { items: [], missing: [] } });
  assert.equal(await shell.core('logs web'), { exit: 0, out: '', err: 'No log lines matched.\n' });
});

spec('CLI-169 an invalid duration, level or count is a usage error', async () => {
  for (const flags of ['--since 2d', '--since 5', '--level trace', '--tail many', '--tail 1.5'])
    assert.is((await shell.core(`logs web ${flags}`)).exit, 2, flags);
  assert.equal(server.asked(), []);
});

spec('CLI-035 CLI-173 CLI-175 a followed log resumes after a broken stream and prints no line twice', async () => {
  server.on(
    `GET ${stream}`,
    part(eventOf(1, 'a') + eventOf(2, 'b'), 'breaks'),
    { status: 503, json: { error: 'nobody leads' } },
    part(eventOf(2, 'b') + eventOf(3, 'c'), 'ends'),
    part(eventOf(4, 'd') + end, 'ends'),
  );
  const { exit, out, err } = await shell.core('logs web -f --tail 5');
  assert.equal([exit, out], [0, ['a', 'b', 'c', 'd'].map((text) => `10:20:01 x2k4q ${text}\n`).join('')]);
  assert.is(err, 'the stream broke off: it is opened again\nthe service was deleted\n');
  assert.equal(
    server.reached.map(({ headers }) => headers['last-event-id']),
    [undefined, '2.web-5d9c-x2k4q.app.0', '2.web-5d9c-x2k4q.app.0', '3.web-5d9c-x2k4q.app.0'],
  );
  assert.equal(shell.slept, [1_000, 2_000, 1_000]);
  assert.equal(server.reached[0]?.query, { tail: '5' });
});

spec('the pause between streams doubles up to 30 seconds', async () => {
  const away: Answer = (response) => void response.destroy();
  server.on(
    `GET ${stream}`,
    part(eventOf(1, 'a'), 'ends'),
    ...Array.from({ length: 9 }, () => away),
    part(end, 'ends'),
  );
  await shell.core('logs web -f');
  assert.equal(
    shell.slept.slice(0, 8),
    [1, 2, 4, 8, 16, 30, 30, 30].map((s) => s * 1_000),
  );
});

spec('a followed log ends when the API refuses the stream, also on a reconnect', async () => {
  for (const [code, exit] of [
    [401, 4],
    [403, 4],
    [404, 3],
    [400, 1],
  ] as const) {
    const refused: Answer = { status: code, json: { error: 'no' } };
    server.on(`GET ${stream}`, refused);
    assert.is((await shell.core('logs web -f')).exit, exit);
    server.on(`GET ${stream}`, part(eventOf(1, 'a'), 'breaks'), refused);
    assert.is((await shell.core('logs web -f')).exit, exit);
  }
});

spec('CLI-174 a followed log ends with 0 when Ctrl-C is pressed', async () => {
  server.on(`GET ${stream}`, part(eventOf(1, 'a'), 'stays'));
  let said = '';
  const followed = shell.core('logs web -f', { onWrite: (text) => void (said += text) });
  await until(() => said.includes(' a\n'), 'the line is printed');
  shell.interrupt();
  assert.equal(await followed, { exit: 0, out: '10:20:01 x2k4q a\n', err: '' });
});

const colour = '\u001b[31mred\u001b[0m';
const evil = `${colour}\u001b]0;title\u0007\u001b[2J\u001bc\u009b1m\r\u0000\ttab`;
spec('a log keeps only its colours on a terminal and is unchanged in a pipe', async () => {
  server.on('GET /apps/web/logs', { json: { items: [line(evil)], missing: [] } });
  assert.is((await shell.core('logs web')).out, `10:20:01 x2k4q ${evil}\n`);
  const { out } = await shell.core('logs web', { outIsTerminal: true });
  assert.is(out, `10:20:01 x2k4q ${colour}1m\ttab\u001b[0m\n`);
});

spec('a stream with split characters, CR line ends and multi-line events is read correctly', async () => {
  const text = eventOf(1, 'grün ✓').replaceAll('\n', '\r\n');
  server.on(`GET ${stream}`, (response) => {
    begin(response);
    const bytes = Buffer.from(text + end);
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
    response.end();
  });
  assert.is((await shell.core('logs web -f')).out, '10:20:01 x2k4q grün ✓\n');
});

spec('the raw API command prints a stream line by line until Ctrl-C', async () => {
  server.on('GET /events', part('event: tick\ndata: {"now":"x"}\n\n', 'ends'));
  assert.equal(await shell.core('api GET /events'), { exit: 0, out: '{"now":"x"}\n', err: '' });
});

spec.run();
