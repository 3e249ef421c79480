import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { makeClient } from '../../../http/apiClient/client.ts';
import { proxyFor } from '../../../http/apiClient/proxy.ts';
import { suite } from '../../support/suite.ts';
import { type Answer, scriptedServer, type Scripted } from './scripted.ts';
import { terminal, type Terminal } from './terminal.ts';

const spec = suite('connections of the command line');
let server: Scripted;
let shell: Terminal;

spec.before(async () => {
  server = await scriptedServer();
});
spec.before.each(() => {
  server.forget();
  shell = terminal();
});
spec.after.each(() => shell.clean());
spec.after(() => server.stop());

const identity = {
  username: 'token:core on laptop',
  role: 'viewer',
  scope: 'workspace',
  canMutate: false,
  canReadSensitive: false,
  authentication: 'token',
};
const error = (text: string, status = 400): Answer => ({ status, json: { error: text } });
const pending = error('authorization_pending');

function begin(...polls: readonly Answer[]) {
  server.on('POST /auth/device', {
    json: {
      device_code: 'device',
      user_code: 'BCDF-GHJK',
      verification_uri: 'http://evil.example/device',
      verification_uri_complete: 'http://evil.example/device?code=BCDF-GHJK',
      expires_in: 600,
      interval: 5,
    },
  });
  server.on('POST /auth/token', ...polls);
  server.on('GET /me', { json: identity });
  return shell.core(`login --url ${server.url}`, { isTerminal: true });
}
const token: Answer = { json: { access_token: 'the-token', token_type: 'Bearer', expires_in: 1 } };

spec('CLI-091 DEV-017 DEV-025 DEV-030 each slow_down makes the polling pause five seconds longer', async () => {
  const { exit } = await begin(pending, error('slow_down'), pending, error('slow_down'), pending, token);
  assert.is(exit, 0);
  assert.equal(shell.slept, [5_000, 5_000, 10_000, 10_000, 15_000, 15_000]);
});

spec('the address of the approval page is built from the address of the login, not from an answer', async () => {
  const { err } = await begin(token);
  assert.equal(shell.opened, [`${server.url}/device?code=BCDF-GHJK`]);
  assert.not.match(err, 'evil.example');
});

spec('DEV-029 device sign-in polls through failures of the API until the code expires', async () => {
  const gone: Answer = (response) => void response.destroy();
  const { exit } = await begin(
    gone,
    error('nobody leads', 503),
    error('internal error', 500),
    error('wait', 429),
    token,
  );
  assert.is(exit, 0);
  assert.equal(server.reached.filter(({ path }) => path === '/auth/device').length, 1);
  assert.is((await begin(gone)).exit, 6);
});

spec('DEV-028 DEV-032 device sign-in ends and saves nothing when the answer is any other error', async () => {
  for (const [answer, exit] of [
    [error('expired_token'), 6],
    [error('access_denied'), 4],
    [error('invalid_grant'), 1],
    [{ json: { token: 7 } }, 1],
  ] as const) {
    const ended = await begin(pending, answer);
    assert.is(ended.exit, exit, ended.err);
    assert.not.ok(existsSync(shell.config));
  }
});

spec('a token is not saved when the API rejects it', async () => {
  server.on('GET /me', error('the API token is not valid', 401));
  const { exit } = await shell.core(`login --url ${server.url} --token x`);
  assert.equal([exit, existsSync(shell.config)], [4, false]);
});

const proxyOf = async (url: string, env: Record<string, string>) => (await proxyFor(new URL(url), env))?.href ?? null;
const both = { http_proxy: 'http://p:1', HTTPS_PROXY: 'q:2' };

spec('the proxy is read from the same variables as by other programs', async () => {
  assert.equal([await proxyOf('http://h', both), await proxyOf('https://h', both)], ['http://p:1/', 'http://q:2/']);
  assert.is(await proxyOf('http://h', { http_proxy: '', HTTP_PROXY: '' }), null);
  assert.is(await proxyOf('https://h', { ...both, no_proxy: '', NO_PROXY: 'h' }), null);
});

/** What curl 7.88 does with each; addresses of IPv6 as its manual has it, for it compares them as names. */
const exceptions: readonly (readonly [url: string, excepted: readonly string[], proxied: readonly string[]])[] = [
  [
    'http://core.example.com:81',
    [
      '*',
      'core.example.com',
      '.core.example.com',
      'example.com',
      '.example.com',
      'example.com.',
      'CORE.Example.COM',
      'a core.example.com',
      'a, core.example.com',
      'a ,core.example.com',
      ',,core.example.com',
    ],
    [
      'a,*',
      '*,a',
      ' * ',
      '*.example.com',
      '..example.com',
      'xample.com',
      'core.example.com:81',
      'core.example.com:80',
      'www.core.example.com',
      '.',
      '0.0.0.0/0',
    ],
  ],
  ['http://core.example.com.:81', ['core.example.com', '.com'], ['core.example.co']],
  [
    'http://127.0.0.1:81',
    ['*', '127.0.0.1', '127.0.0.0/8', '126.0.0.0/7', '127.0.0.1/32', '127.0.0.1/0', '10.0.0.0/8,127.0.0.0/24'],
    ['127.0.0.0/0', '127.0.0.0/33', '127.0.0.0/', '127.1', '.0.0.1', '0.0.1', '127.0.0.1:81', '[127.0.0.1]', '::1'],
  ],
  ['http://[::1]:81', ['::1', '0:0:0:0:0:0:0:1', '::/127', '::1/128'], ['[::1]', '::2', '::/129', '127.0.0.1', '1']],
  ['http://localhost:81', ['localhost'], ['127.0.0.1', '127.0.0.0/8']],
];
spec('NO_PROXY excludes the same hosts as with curl', async () => {
  for (const [url, excepted, proxied] of exceptions) {
    for (const no of excepted) assert.is(await proxyOf(url, { ...both, NO_PROXY: no }), null, `${url} ${no}`);
    for (const no of proxied) assert.is(await proxyOf(url, { ...both, NO_PROXY: no }), 'http://p:1/', `${url} ${no}`);
  }
});

spec('a variable with an invalid proxy is refused by its name, without its password', async () => {
  for (const named of ['http://', 'socks5://user:hush@127.0.0.1:1', 'http://user:hush@[1'])
    assert.equal(
      await shell.core('whoami', { env: { CORE_URL: server.url, CORE_TOKEN: 't', HTTP_PROXY: named } }),
      { exit: 1, out: '', err: 'Error: HTTP_PROXY names no http or https proxy\n' },
      named,
    );
  assert.equal(server.asked(), []);
});

spec('an unreachable proxy is named in the error, and the host behind it is not', async () => {
  const dead = createServer();
  dead.listen(0, '127.0.0.1');
  await once(dead, 'listening');
  const { port } = dead.address() as AddressInfo;
  await new Promise((closed) => dead.close(closed));
  const address = `127.0.0.1:${port}`;
  for (const [url, name] of [
    ['http://core.example', 'http_proxy'],
    ['https://core.example', 'https_proxy'],
  ] as const)
    for (const scheme of ['http', 'https'])
      assert.equal(
        await shell.core('whoami', {
          env: { CORE_URL: url, CORE_TOKEN: 't', [name]: `${scheme}://user:hush@${address}` },
        }),
        {
          exit: 1,
          out: '',
          err: `Error: could not reach the proxy ${scheme}://${address}: nothing listens there\n`,
        },
        `${url} by ${scheme}`,
      );
});

spec('a proxy that breaks the connection or requires a login is not reported as unreachable', async () => {
  const env = { CORE_URL: 'http://core.example', CORE_TOKEN: 't', http_proxy: server.url };
  const unreached = 'Error: could not reach http://core.example: ';
  server.otherwise((response) => void response.destroy());
  assert.match((await shell.core('whoami', { env })).err, new RegExp(`^${unreached}`));
  server.otherwise({ status: 407, json: {} });
  const { err } = await shell.core('whoami', { env });
  assert.is(err, `${unreached}the proxy wants a user and a password, in its variable\n`);
});

/** A proxy that passes everything on to one port, whatever host was asked for. */
async function proxyTo(port: number) {
  const asked: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const proxy = createServer((request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(identity));
  });
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push({ url: request.url ?? '', headers: request.headers });
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    for (const end of [through, socket]) end.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { asked, proxy, url: `http://user:pass@127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

spec('a proxy receives the full address, and its credentials are sent only to the proxy', async () => {
  const { asked, proxy, url } = await proxyTo(0);
  const env = { CORE_URL: 'http://core.example', CORE_TOKEN: 't', http_proxy: url };
  const { exit, out } = await shell.core('whoami', { env });
  assert.is(exit, 0);
  assert.match(out, 'token:core on laptop at http://core.example');
  assert.is(asked[0]?.url, 'http://core.example/api/v1/me');
  assert.equal(
    [asked[0]?.headers.host, asked[0]?.headers['proxy-authorization']],
    ['core.example', 'Basic dXNlcjpwYXNz'],
  );
  proxy.close();
});

spec('TLS is tunnelled to the host through the proxy, and its failure is reported', async () => {
  const { asked, proxy, url } = await proxyTo(Number(new URL(server.url).port));
  const env = { CORE_URL: 'https://core.example', CORE_TOKEN: 'secret', HTTPS_PROXY: url };
  const { exit, err } = await shell.core('whoami', { env });
  assert.is(exit, 1);
  assert.match(err, /^Error: could not reach https:\/\/core\.example: /);
  assert.is(asked[0]?.url, 'core.example:443');
  assert.is(asked[0]?.headers.authorization, undefined);
  proxy.closeAllConnections();
  proxy.close();
});

spec('TLS to a port without TLS is reported in one line', async () => {
  const { port } = new URL(server.url);
  const { exit, err } = await shell.core('whoami', { env: { CORE_URL: `https://127.0.0.1:${port}`, CORE_TOKEN: 't' } });
  assert.is(exit, 1);
  assert.match(
    err,
    /^Error: could not reach .*: it does not speak TLS as it should: does its address begin with http:\/\/\?\n$/,
  );
});

spec('a token is not sent to the host of a redirect', async () => {
  const other = await scriptedServer();
  server.on('GET /me', (response) => {
    response.writeHead(307, { location: `${other.url}/api/v1/me` });
    response.end();
  });
  const { exit, err } = await shell.core('whoami', { env: { CORE_URL: server.url, CORE_TOKEN: 'secret-token' } });
  assert.is(exit, 1);
  assert.match(err, `redirects to ${other.url}/api/v1/me, which is not followed`);
  assert.equal(other.reached, []);
  await other.stop();
});

spec('a token in an error of the server is masked', async () => {
  server.on('GET /me', error('no such token: secret-token', 401));
  const { err } = await shell.core('whoami', { env: { CORE_URL: server.url, CORE_TOKEN: 'secret-token' } });
  assert.is(err, "Error: no such token: …\nRun 'core login' to sign in again.\n");
});

spec('a request fails when no answer arrives within its timeout, and a large answer is read', async () => {
  const client = makeClient({ address: server.url, token: 't', agent: 'core/test', env: {} });
  server.on('GET /slow', () => {});
  server.on('GET /drips', (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  });
  for (const path of ['/slow', '/drips'])
    try {
      await client.ask('GET', path, { timeoutMs: 150 });
      assert.unreachable();
    } catch (failure) {
      assert.is((failure as Error).message, `could not reach ${server.url}: no answer within 0.15 seconds`);
    }
  const large = 'x'.repeat(20 * 1024 * 1024);
  server.on('GET /large', { json: { large } });
  assert.is(((await client.ask('GET', '/large')) as { large: string }).large.length, large.length);
  client.close();
});

spec('a read is repeated once when its kept connection was closed, and a write is not', async () => {
  const client = makeClient({ address: server.url, token: 't', agent: 'core/test', env: {} });
  server.on('GET /me', { json: identity });
  await client.ask('GET', '/me');
  server.on('GET /me', (response) => void response.destroy(), { json: identity });
  server.on('POST /apps', (response) => void response.destroy());
  assert.equal(await client.ask('GET', '/me'), identity);
  await client.ask('POST', '/apps', { body: {} }).then(
    () => assert.unreachable(),
    () => {},
  );
  assert.is(server.asked().filter((one) => one.startsWith('POST')).length, 1);
  client.close();
});

spec.run();
