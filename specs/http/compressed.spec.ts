import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { acceptedCoding } from '../../runtime/embedded/index.ts';
import { until } from '../support/until.ts';
import { suite } from '../support/suite.ts';
import { serve, type Served } from './served.ts';

const compressed = suite('compressed responses');
let served: Served;
const script = `export const all = [${'"a word", '.repeat(400)}];`;
const dashboardDir = mkdtempSync(join(tmpdir(), 'core-compressed-'));
compressed.before(async () => {
  writeFileSync(join(dashboardDir, 'index.html'), '<!doctype html><title>Core</title>');
  writeFileSync(join(dashboardDir, 'long.js'), script);
  writeFileSync(join(dashboardDir, 'long.js.br'), brotliCompressSync(script));
  writeFileSync(join(dashboardDir, 'long.js.gz'), gzipSync(script));
  served = await serve({ dashboardDir });
  for (let index = 0; index < 9; index++) await served.addApp(`service-${index}`);
});
compressed.after(async () => {
  await served.stop();
  rmSync(dashboardDir, { recursive: true });
});

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** The bytes as they came. */
const got = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET', body = '' }: { readonly method?: string; readonly body?: string } = {},
) =>
  new Promise<Got>((resolve, reject) => {
    const own = { cookie: served.cookieOf(), origin: served.url, 'content-type': 'application/json' };
    const sent = request(
      `${served.url}${path}`,
      { method, headers: { ...own, ...headers }, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        );
      },
    );
    sent.on('error', reject).end(body);
  });

const accepting = (header: string) => ({ 'accept-encoding': header });
const unpack = { gzip: gunzipSync, br: brotliDecompressSync } as const;

compressed(
  'API-015 the preferred coding of the client is chosen from those offered, and identity when none matches',
  () => {
    const rows: readonly (readonly [header: string | undefined, chosen: string | null])[] = [
      [undefined, null],
      ['', null],
      ['identity', null],
      ['gzip', 'gzip'],
      ['X-GZIP', 'gzip'],
      ['br', 'br'],
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip;q=1.0, br;q=0.5', 'gzip'],
      ['gzip ; q=0.5 , identity;q=0.1', 'gzip'],
      ['identity;q=1, *;q=0.5', null],
      ['identity, gzip', 'gzip'],
      ['*', 'br'],
      ['*;q=0', null],
      ['br;q=0, *', 'gzip'],
      ['gzip;q=0', null],
      ['gzip;q=0.000, br;q=0.001', 'br'],
      ['deflate, zstd', null],
      ['gzip;q=x, *;q=-1', null],
      ['gzip;q=2', null],
      ['gzip;level=9', null],
      ['identity;q=0, gzip', 'gzip'],
    ];
    for (const [header, chosen] of rows) assert.is(acceptedCoding(header, ['br', 'gzip']), chosen, String(header));
  },
);

compressed('API-015 a long response is compressed as the request accepts, with Vary', async () => {
  const plain = await got('/api/v1/apps', accepting('identity'));
  assert.is(plain.headers['content-encoding'], undefined);
  assert.match(String(plain.headers['etag']), /^"/);
  for (const coding of ['gzip', 'br'] as const) {
    const { status, headers, bytes } = await got('/api/v1/apps', accepting(coding));
    assert.equal([status, headers['content-encoding'], headers['vary']], [200, coding, 'Accept-Encoding']);
    assert.is(unpack[coding](bytes).toString(), plain.bytes.toString());
    assert.is(Number(headers['content-length']), bytes.length);
    assert.ok(bytes.length < plain.bytes.length / 2);
    assert.match(String(headers['content-type']), 'application/json');
    assert.is(headers['etag'], `W/${String(plain.headers['etag'])}`);
    const head = await got('/api/v1/apps', accepting(coding), { method: 'HEAD' });
    for (const name of ['etag', 'vary', 'content-encoding', 'content-length', 'content-type'])
      assert.is(head.headers[name], headers[name], name);
  }
  assert.is(plain.headers['vary'], 'Accept-Encoding');
});

compressed('API-015 a cached response in any coding is answered with 304', async () => {
  const { etag } = (await got('/api/v1/apps', accepting('gzip'))).headers;
  for (const accepted of ['gzip', 'identity', 'br']) {
    const known = await got('/api/v1/apps', { ...accepting(accepted), 'if-none-match': `"other", ${String(etag)}` });
    assert.equal([known.status, known.bytes.length, known.headers['content-encoding']], [304, 0, undefined]);
    assert.is(known.headers['vary'], 'Accept-Encoding');
  }
});

compressed('API-015 a short response is not compressed', async () => {
  const { headers, bytes } = await got('/api/v1/me', accepting('gzip, br'));
  assert.is(headers['content-encoding'], undefined);
  assert.is((JSON.parse(bytes.toString()) as { readonly username: string }).username, 'admin');
});

compressed('API-015 a refusal is not compressed', async () => {
  const { status, headers, bytes } = await got(`/api/v1/apps/${'x'.repeat(2_000)}`, accepting('gzip'));
  assert.is(headers['content-encoding'], undefined);
  assert.ok(status >= 400 && bytes.toString().includes('"error"'));
});

compressed('API-015 sign-ins, tokens, secrets and event streams are not compressed', async () => {
  const all = accepting('br, gzip, *');
  const json = (value: object) => ({ method: 'POST', body: JSON.stringify(value) });
  const answers = {
    login: await got('/api/login', all, json({ username: 'admin', password: 'correct horse' })),
    session: await got('/api/session', all),
    device: await got('/api/v1/auth/device', all, json({ name: 'x' })),
    token: await got('/api/v1/tokens', all, json({ name: 'x', role: 'viewer' })),
  };
  for (const [name, { headers }] of Object.entries(answers))
    assert.equal([headers['content-encoding'], headers['vary']], [undefined, undefined], name);
  assert.is(answers.token.status, 201);
  assert.is(answers.login.status, 200);
  const stream = await new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    const headers = { ...all, cookie: served.cookieOf() };
    const sent = request(`${served.url}/api/v1/events`, { headers, agent: false }, (answer) => {
      resolve(answer.headers);
      sent.destroy();
    });
    sent.on('error', reject).end();
  });
  assert.match(String(stream['content-type']), 'text/event-stream');
  assert.equal([stream['content-encoding'], stream['vary']], [undefined, undefined]);
});

compressed('API-015 a file is served in the coding that the build stored beside it', async () => {
  const plain = await got('/long.js', accepting('identity'));
  assert.is(plain.bytes.toString(), script);
  for (const coding of ['gzip', 'br'] as const) {
    const { headers, bytes } = await got('/long.js', accepting(coding));
    assert.is(unpack[coding](bytes).toString(), script);
    assert.equal([headers['content-encoding'], headers['vary']], [coding, 'Accept-Encoding']);
    assert.is(Number(headers['content-length']), bytes.length);
    assert.match(String(headers['content-type']), 'javascript');
    const head = await got('/long.js', accepting(coding), { method: 'HEAD' });
    assert.equal([head.bytes.length, head.headers['content-length']], [0, headers['content-length']]);
    const known = await got('/long.js', { ...accepting(coding), 'if-none-match': String(headers['etag']) });
    assert.equal(
      [known.status, known.headers['vary'], known.headers['etag']],
      [304, 'Accept-Encoding', headers['etag']],
    );
    assert.is(known.headers['content-encoding'], undefined);
  }
  assert.is((await got('/long.js', accepting('*'))).headers['content-encoding'], 'br');
  for (const ending of ['br', 'gz']) assert.is((await got(`/long.js.${ending}`)).status, 404);
});

compressed('API-015 a byte range of a file is served uncompressed, and only when If-Range matches', async () => {
  const part = (headers: Readonly<Record<string, string>>) =>
    got('/long.js', { ...accepting('br'), range: 'bytes=0-5', ...headers });
  const { status, headers, bytes } = await part({});
  assert.equal([status, bytes.toString(), headers['content-encoding']], [206, 'export', undefined]);
  assert.is(headers['content-range'], `bytes 0-5/${script.length}`);
  assert.is((await part({ 'if-range': String(headers['etag']) })).status, 206);
  assert.is((await part({ 'if-range': String(headers['last-modified']) })).status, 206);
  const other = await part({ 'if-range': '"another"' });
  assert.equal([other.status, other.headers['content-encoding']], [200, 'br']);
  assert.is((await part({ 'if-none-match': String(headers['etag']) })).status, 304);
});

compressed('API-015 every long file of the dashboard has correct compressed copies', () => {
  const folder = new URL('../../dist/dashboard/assets/', import.meta.url);
  const read = (name: string) => readFileSync(new URL(name, folder));
  const long = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name) && read(name).length >= 1_024);
  assert.ok(long.length > 20);
  for (const name of long) {
    assert.ok(read(name).equals(brotliDecompressSync(read(`${name}.br`))), name);
    assert.ok(read(name).equals(gunzipSync(read(`${name}.gz`))), name);
  }
});

compressed('API-015 a standby forwards the compressed response of the leader unchanged', async () => {
  await until(() => served.operator.isLeading(), 'the replica is leader');
  const standby = await served.standBy(served.url);
  const headers = { cookie: served.cookieOf() };
  const plain = await standby.ask('/api/v1/machines/addressLockout', { headers });
  const zipped = await new Promise<Got>((resolve, reject) => {
    const of = { headers: { ...headers, ...accepting('gzip') }, agent: false };
    const sent = request(`${standby.url}/api/v1/machines/addressLockout`, of, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject).end();
  });
  await standby.stop();
  assert.equal([zipped.status, zipped.headers['content-encoding']], [200, 'gzip']);
  assert.is(gunzipSync(zipped.bytes).toString(), plain.text);
});

compressed.run();
