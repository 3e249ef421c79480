import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as assert from 'uvu/assert';
import type { Identity } from '../../../http/api.ts';
import { suite } from '../../support/suite.ts';
import { deviceClient } from '../deviceClient.ts';
import type { Served } from '../served.ts';
import { serveShop } from '../services/given.ts';
import { terminal, type Terminal } from './terminal.ts';

const spec = suite('signing in from a terminal');
let served: Served;
let shell: Terminal;

spec.before(async () => {
  served = await serveShop();
});
spec.before.each(() => {
  shell = terminal();
});
spec.after.each(() => shell.clean());
spec.after(() => served.stop());

const host = () => new URL(served.url).host;
const codeIn = (text: string): string => /\/device\?code=(\S+)/.exec(text)?.[1] ?? '';

/** Signs in by a code, about which somebody decides at the third poll. */
async function byDevice(decide: (code: string) => Promise<unknown>, line = '', options = {}) {
  let said = '';
  let polls = 0;
  return shell.core(`login --url ${served.url} ${line}`, {
    onWrite: (text) => void (said += text),
    onSleep: async (ms) => {
      served.clock.ahead += ms;
      polls += 1;
      if (polls === 3) await decide(codeIn(said));
    },
    ...options,
  });
}

const access = [
  ['admin', 'admin'],
  ['observer', 'read-only, with logs'],
  ['viewer', 'read-only'],
] as const;
for (const [role, words] of access)
  spec(
    `CLI-020 CLI-088 CLI-091 CLI-093 CLI-095 CLI-097 SEC-013 device sign-in saves a login when an admin approves the code as ${role}`,
    async () => {
      const { exit, out, err } = await byDevice((code) =>
        deviceClient(served).approve(code, { access: role, days: 7 }),
      );
      assert.is(exit, 0, err);
      assert.is(out, `Signed in to ${served.url} as token:core on laptop (${words})\n`);
      assert.match(err, `Open ${served.url}/device?code=`);
      assert.equal(shell.slept, [5_000, 5_000, 5_000]);
      const { current, contexts } = shell.saved();
      assert.is(current, host());
      const { token, expiresAt, ...login } = contexts?.[host()] ?? {};
      assert.equal(login, { url: served.url, user: 'token:core on laptop', role });
      assert.match(token ?? '', /^\S{20,}$/);
      assert.match(expiresAt ?? '', /^\d{4}-/);
      assert.not.match(out + err, token ?? '');
    },
  );

spec('AUT-039 AUT-040 AUT-041 AUT-042 login describes the access of the token', async () => {
  const told: string[] = [];
  for (const fields of [
    { role: 'admin' },
    { role: 'observer' },
    { role: 'viewer' },
    { role: undefined, project: 'shop', environment: 'production' },
  ]) {
    const { token } = await served.makeToken(fields);
    const { out } = await shell.core(`login --url ${served.url} --token ${token}`);
    told.push(out.slice(out.indexOf('(')));
  }
  assert.equal(told, [
    '(admin)\n',
    '(read-only, with logs)\n',
    '(read-only)\n',
    '(project token for shop/production)\n',
  ]);
});

spec('CLI-262 DEV-023 DEV-031 device sign-in ends with 4 and saves nothing when an admin denies the code', async () => {
  const { exit, out, err } = await byDevice((code) => deviceClient(served).deny(code));
  assert.equal([exit, out], [4, '']);
  assert.match(err, 'Error: the sign-in was refused\n');
  assert.not.ok(existsSync(shell.config));
});

spec('CLI-092 CLI-266 DEV-026 DEV-032 device sign-in ends with 6 after ten minutes without an approval', async () => {
  const { exit, err } = await byDevice(() => Promise.resolve());
  assert.is(exit, 6);
  assert.match(err, 'Error: the sign-in was not approved before its code expired\n');
  assert.is(
    shell.slept.reduce((sum, ms) => sum + ms, 0),
    600_000,
  );
});

spec('CLI-089 CLI-090 UI-031 device sign-in opens a browser only when input and output are a terminal', async () => {
  const approve = (code: string) => deviceClient(served).approve(code);
  await byDevice(approve, '', { isTerminal: true });
  assert.match(shell.opened.join(), new RegExp(`^${served.url}/device\\?code=[A-Z]{4}-[A-Z]{4}$`));
  for (const [line, options] of [
    ['--no-browser', { isTerminal: true }],
    ['', {}],
  ] as const)
    assert.is((await byDevice(approve, line, options)).exit, 0);
  assert.is(shell.opened.length, 1);
});

spec('device sign-in is cancelled by Ctrl-C', async () => {
  const { exit, err } = await shell.core(`login --url ${served.url}`, { onSleep: () => shell.interrupt() });
  assert.equal([exit, err.split('\n').at(-2)], [130, 'Error: the sign-in was given up']);
});

spec(
  'CLI-082 CLI-085 CLI-086 CLI-065 CLI-087 login reads a token from a flag, standard input or a variable',
  async () => {
    const { token } = await served.makeToken();
    const line = `login --url ${served.url}`;
    assert.is((await shell.core(`${line} --token ${token}`)).exit, 0);
    assert.is((await shell.core(`${line} --token-stdin`, { input: `${token}\nsecond line\n` })).exit, 0);
    assert.is((await shell.core(line, { env: { CORE_TOKEN: token } })).exit, 0);
    const none = await shell.core(`${line} --token-stdin`);
    assert.equal([none.exit, none.err], [2, 'Error: there is no token on standard input\n']);
    // The saved token is there, and a code is asked for nevertheless.
    const again = await shell.core('login', { onSleep: () => shell.interrupt() });
    assert.match(again.err, '/device?code=');
  },
);

spec('CLI-093 CLI-263 login does not save an invalid token and leaves the file unchanged', async () => {
  const { token } = await served.makeToken();
  await shell.core(`login --url ${served.url} --token ${token}`);
  const before = shell.text();
  const { exit, err, out } = await shell.core(`login --url ${served.url} --token no-such-token`);
  assert.equal([exit, out], [4, '']);
  assert.is(err, "Error: the API token is not valid\nRun 'core login' to sign in again.\n");
  assert.is((await shell.core('login --url http://127.0.0.1:1 --token x')).exit, 1);
  assert.is(shell.text(), before);
});

spec('CLI-083 CLI-084 login reads the address from a flag, a variable or the current login', async () => {
  const { token } = await served.makeToken();
  const none = await shell.core(`login --token ${token}`);
  assert.equal([none.exit, none.err], [2, 'Error: say which service to sign in to: core login --url <address>\n']);
  const { out } = await shell.core(`login --token ${token}`, { env: { CORE_URL: `${served.url}/` } });
  assert.match(out, `Signed in to ${served.url} as`);
  assert.is((await shell.core(`login --token ${token}`)).exit, 0);
});

spec(
  'CLI-014 CLI-094 CLI-096 a login is named by --name, otherwise --context, otherwise the host, and keeps its defaults',
  async () => {
    const { token } = await served.makeToken();
    const line = `login --url ${served.url} --token ${token}`;
    await shell.core(line);
    await shell.core(`${line} --context second`);
    await shell.core(`${line} --context third --name last`);
    assert.equal(Object.keys(shell.saved().contexts ?? {}), [host(), 'second', 'last']);
    assert.is(shell.saved().current, 'last');
    await shell.core('config set-context second -p shop -e production');
    await shell.core(`${line} --name second`);
    assert.equal([shell.saved().contexts?.['second']?.['project'], shell.saved().current], ['shop', 'second']);
    const file = shell.saved();
    const elsewhere = { ...file.contexts?.['second'], url: 'http://elsewhere' };
    writeFileSync(shell.config, JSON.stringify({ ...file, contexts: { ...file.contexts, second: elsewhere } }));
    await shell.core(`${line} --name second`);
    assert.is(shell.saved().contexts?.['second']?.['project'], undefined);
  },
);

spec('CLI-098 login prints an object with --json', async () => {
  const expiresAt = new Date(served.now() + 86_400_000).toISOString();
  const { token } = await served.makeToken({ name: 'a pipe', role: 'viewer', expiresAt });
  const { out } = await shell.core(`login --json --url ${served.url} --token ${token}`);
  const login = { context: host(), url: served.url, user: 'token:a pipe', role: 'viewer' };
  assert.equal(JSON.parse(out), { ...login, expiresAt });
  const { token: lasting } = await served.makeToken({ name: 'a pipe', role: 'viewer' });
  assert.equal(JSON.parse((await shell.core(`login --json --url ${served.url} --token ${lasting}`)).out), login);
});

const signIn = async (fields: object = {}): Promise<string> => {
  const { token } = await served.makeToken(fields);
  assert.is((await shell.core(`login --url ${served.url} --token ${token}`)).exit, 0);
  return token;
};

spec(
  'CLI-016 CLI-019 CLI-021 CLI-099 CLI-100 CLI-101 CLI-102 AUT-098 logout removes only the local token',
  async () => {
    assert.equal(await shell.core('logout'), { exit: 0, out: 'Not signed in.\n', err: '' });
    const token = await signIn({ expiresAt: new Date(served.now() + 86_400_000).toISOString() });
    await shell.core('config set-context -p shop -e production');
    const before = served.answered.length;
    assert.equal(await shell.core('logout --json'), { exit: 0, out: `Signed out of ${served.url}.\n`, err: '' });
    assert.is(served.answered.length, before, 'it asks nothing');
    assert.equal(shell.saved().contexts?.[host()], {
      url: served.url,
      token: '',
      project: 'shop',
      environment: 'production',
    });
    assert.is((await shell.core('logout')).out, 'Not signed in.\n');
    assert.is((await served.askAs(token, '/api/v1/me')).status, 200);
    const { exit, err } = await shell.core('whoami');
    assert.equal([exit, err], [4, `Error: not signed in to ${served.url}: run 'core login --url ${served.url}'\n`]);
  },
);

spec(
  'CLI-022 CLI-103 CLI-104 CLI-105 CLI-106 CLI-107 whoami prints the user, access and expiry of the login',
  async () => {
    const expiresAt = new Date(served.now() + 49 * 3_600_000).toISOString();
    await signIn({ name: 'ci', role: 'observer', expiresAt });
    const { out } = await shell.core('whoami');
    const lines = out.split('\n');
    assert.equal(lines.slice(0, 3), [
      `token:ci at ${served.url}`,
      'access: read-only, with logs',
      'can change things: no',
    ]);
    assert.match(lines[3] ?? '', new RegExp(`^expires: ${expiresAt} \\(in \\d+[dh]\\)$`));
    const identity = JSON.parse((await shell.core('whoami --json')).out) as Identity;
    assert.equal([identity.username, identity.role, identity.authentication], ['token:ci', 'observer', 'token']);
    await signIn({ role: 'admin' });
    assert.match((await shell.core('whoami')).out, 'can change things: yes\nexpires: never\n');
  },
);

spec(
  'CLI-023 CLI-108 CLI-109 CLI-110 CLI-111 CLI-112 version prints its own version, and that of the API when the API answers',
  async () => {
    assert.equal(await shell.core('version'), { exit: 0, out: 'core dev\n', err: '' });
    assert.equal(JSON.parse((await shell.core('version --json')).out), { cli: 'dev' });
    await signIn();
    assert.is((await shell.core('version')).out, 'core dev\napi v1\n');
    assert.equal(JSON.parse((await shell.core('version --json')).out), { cli: 'dev', api: 'v1' });
    for (const line of [
      'version --token wrong',
      'version --url http://127.0.0.1:1 --token x',
      'version --url nonsense',
    ])
      assert.equal(await shell.core(line), { exit: 0, out: 'core dev\n', err: '' }, line);
  },
);

spec('CLI-063 -v is a flag of the root command only', async () => {
  for (const line of ['-v', '--version'])
    assert.equal(await shell.core(line), { exit: 0, out: 'core version dev\n', err: '' });
  assert.is((await shell.core('whoami -v')).exit, 2);
});

spec(
  'CLI-013 CLI-017 CLI-018 CLI-024 CLI-113 CLI-114 CLI-115 CLI-116 config get-contexts lists the saved logins without their tokens',
  async () => {
    mkdirSync(dirname(shell.config));
    const contexts = {
      old: { url: 'http://old', token: 'hush', user: 'token:a', role: 'viewer', expiresAt: '2020-02-03T04:05:06Z' },
      new: {
        url: 'http://new',
        token: 'hush',
        project: 'shop',
        environment: 'live',
        expiresAt: '2999-02-03T04:05:06Z',
      },
      out: { url: 'http://out', token: '' },
    };
    writeFileSync(shell.config, JSON.stringify({ current: 'new', contexts }));
    const before = served.answered.length;
    assert.equal((await shell.core('config get-contexts')).out.split('\n'), [
      'NAME   URL         USER     PROJECT  ENVIRONMENT  EXPIRES',
      '* new  http://new  -        shop     live         2999-02-03',
      'old    http://old  token:a  -        -            2020-02-03 (expired)',
      'out    http://out  -        -        -            -',
      '',
    ]);
    assert.is(served.answered.length, before);
    const { out } = await shell.core('config get-contexts --json');
    assert.not.match(out, 'hush');
    assert.equal(JSON.parse(out), {
      current: 'new',
      contexts: { ...contexts, new: { ...contexts.new, token: '(saved)' }, old: { ...contexts.old, token: '(saved)' } },
    });
  },
);

spec(
  'CLI-117 CLI-118 CLI-119 CLI-120 CLI-121 CLI-122 config selects the current login and sets its defaults',
  async () => {
    mkdirSync(dirname(shell.config));
    writeFileSync(shell.config, JSON.stringify({ contexts: { a: { url: 'http://a' }, b: { url: 'http://b' } } }));
    assert.equal(await shell.core('config use-context b --json'), { exit: 0, out: 'Using b.\n', err: '' });
    assert.is(shell.saved().current, 'b');
    const missing = { exit: 3, out: '', err: 'Error: no saved login called "x": there are a, b\n' };
    assert.equal(await shell.core('config use-context x'), missing);
    assert.equal(await shell.core('config set-context x -p shop'), missing);
    assert.is((await shell.core('config set-context -p shop')).out, 'b now defaults to shop / -.\n');
    assert.is((await shell.core('config set-context b -e live')).out, 'b now defaults to shop / live.\n');
    assert.is((await shell.core('-p other config set-context')).out, 'b now defaults to other / live.\n');
    assert.is(
      (await shell.core('config set-context --project= --environment=')).out,
      'b now defaults to other / live.\n',
    );
  },
);

spec(
  'CLI-054 CLI-055 CLI-057 CLI-064 global flags are accepted before and after the command, and the later one wins',
  async () => {
    const { token } = await served.makeToken({ name: 'by flag' });
    const user = async (line: string, env: Readonly<Record<string, string>> = {}) => {
      const { out, err } = await shell.core(line, { env });
      return out === '' ? err : (JSON.parse(out) as Identity).username;
    };
    const at = `--url ${served.url}`;
    assert.is(await user(`${at} --token ${token} --json whoami`), 'token:by flag');
    assert.is(await user(`whoami ${at} --token ${token} --json`), 'token:by flag');
    assert.is(await user(`${at} --json --token wrong whoami --token ${token}`), 'token:by flag');
    assert.is(await user('whoami --json', { CORE_URL: served.url, CORE_TOKEN: token }), 'token:by flag');
    await shell.core(`login ${at} --token ${token} --name one`);
    assert.is(await user('whoami --json', { CORE_CONTEXT: 'one' }), 'token:by flag');
    assert.match(await user('--context none whoami --json'), 'no saved login called "none"');
  },
);

spec('CLI-256 CLI-257 CLI-062 a usage error ends with 2, and a group without a command prints its help', async () => {
  const wrong = [
    'nonsense',
    'apps nonsense',
    'whoami --nonsense',
    'whoami x',
    'apps get',
    'apps get a b',
    'config use-context',
  ];
  for (const line of wrong) {
    const { exit, out, err } = await shell.core(line);
    assert.equal([exit, out], [2, ''], line);
    assert.match(err, /^Error: [^\n]+\n$/, line);
  }
  for (const line of [
    '',
    'apps',
    'config',
    'functions triggers',
    'whoami --help',
    'env set -h',
    'help',
    'help env set',
  ]) {
    const { exit, out, err } = await shell.core(line);
    assert.equal([exit, err], [0, ''], line);
    assert.match(out, /^Usage: core/, line);
  }
  assert.is((await shell.core('help nonsense')).exit, 2);
  assert.match((await shell.core('help environment')).out, 'CORE_CONFIG');
  assert.match((await shell.core('help exit-codes')).out, /\n {2}6 +timed out/);
});

spec.run();
