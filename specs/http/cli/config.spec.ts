import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { addressOf, isSameAddress } from '../../../http/apiClient/address.ts';
import { configPath } from '../../../http/cli/config/path.ts';
import { type ConfigFile, withLogin } from '../../../http/cli/config/file.ts';
import { findTarget, type ResolveOptions, requireTarget } from '../../../http/cli/config/resolve.ts';
import { changeConfig, readConfig } from '../../../http/cli/config/store.ts';
import { CommandFailure } from '../../../http/cli/exits.ts';
import { suite } from '../../support/suite.ts';
import { terminal } from './terminal.ts';

const spec = suite('saved logins and addresses');

spec('CLI-001 CLI-002 the configuration file on Linux is below XDG_CONFIG_HOME, otherwise below HOME', () => {
  const path = (env: Record<string, string>) => configPath(env, 'linux');
  assert.is(path({ HOME: '/home/ann', XDG_CONFIG_HOME: '/conf' }), '/conf/core/config.json');
  assert.is(path({ HOME: '/home/ann' }), '/home/ann/.config/core/config.json');
  assert.is(path({ HOME: '/home/ann', XDG_CONFIG_HOME: '' }), '/home/ann/.config/core/config.json');
  assert.is(path({ HOME: '/home/ann', XDG_CONFIG_HOME: 'conf' }), '/home/ann/.config/core/config.json');
  assert.is(path({ XDG_CONFIG_HOME: 'conf' }), null);
  assert.is(path({ HOME: '' }), null);
});

spec(
  'CLI-003 CLI-004 CLI-005 the configuration file on macOS and Windows has its own folder, and CORE_CONFIG overrides the path',
  () => {
    assert.is(
      configPath({ HOME: '/Users/ann', XDG_CONFIG_HOME: '/conf' }, 'darwin'),
      '/Users/ann/Library/Application Support/core/config.json',
    );
    assert.is(
      configPath({ AppData: 'C:\\Users\\ann\\AppData' }, 'win32'),
      'C:\\Users\\ann\\AppData\\core\\config.json',
    );
    assert.is(configPath({ HOME: '/home/ann' }, 'win32'), null);
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      assert.is(
        configPath({ CORE_CONFIG: '/tmp/x.json', HOME: '/home/ann', AppData: 'C:\\x' }, platform),
        '/tmp/x.json',
      );
  },
);

spec('CLI-010 every command fails, even with address and token, when the file has no place', async () => {
  const shell = terminal();
  const env = { CORE_CONFIG: '', CORE_URL: 'http://127.0.0.1:1', CORE_TOKEN: 'x' };
  for (const line of ['whoami', 'version', 'apps list', 'config get-contexts', 'login', 'logout']) {
    const { exit, err, out } = await shell.core(line, { env });
    assert.equal([exit, out], [1, ''], line);
    assert.is(err, 'Error: could not find a configuration directory (set CORE_CONFIG)\n', line);
  }
  shell.clean();
});

spec('CLI-009 CLI-011 every command fails when the file is invalid, and none when it is missing', async () => {
  const shell = terminal();
  assert.is((await shell.core('config get-contexts')).exit, 0);
  mkdirSync(dirname(shell.config));
  const wrong = ['{"contexts"', '[]', 'null', '{"contexts":[]}', '{"contexts":{"a":{}}}', '{"current":1}'];
  for (const text of [
    ...wrong,
    '{"contexts":{"a":{"url":"ftp://x"}}}',
    '{"contexts":{"a":{"url":"http://x","token":1}}}',
  ]) {
    writeFileSync(shell.config, text);
    for (const line of ['whoami', 'version', 'logout', 'login --url http://127.0.0.1:1 --token x']) {
      const { exit, err } = await shell.core(line);
      // A login asks before it saves; that it cannot reach the address is told first.
      if (line.startsWith('login') && err.includes('could not reach')) continue;
      assert.is(exit, 1, `${line}: ${text}`);
      assert.match(err, `Error: ${shell.config} is not valid: `);
    }
    assert.is(readFileSync(shell.config, 'utf8'), text);
  }
  shell.clean();
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

spec('CLI-006 CLI-007 CLI-008 the file is replaced atomically with permissions of its owner only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'core-config-'));
  const io = { ...ioOver({ HOME: folder }) };
  const path = join(folder, '.config', 'core', 'config.json');
  const before = process.umask(0o777 & ~0o700);
  try {
    await changeConfig(io, (file) => ({ ...file, current: 'a' }));
    assert.equal([modeOf(path), modeOf(dirname(path))], [0o600, 0o700]);
    chmodSync(path, 0o644);
    chmodSync(dirname(path), 0o755);
    const inode = statSync(path).ino;
    await changeConfig(io, (file) => ({ ...file, current: 'b' }));
    assert.equal([modeOf(path), modeOf(dirname(path))], [0o600, 0o700]);
    assert.is.not(statSync(path).ino, inode);
    assert.equal(readdirSync(dirname(path)), ['config.json']);
    process.umask(0);
    await changeConfig(io, (file) => ({ ...file, current: 'c' }));
    assert.is(modeOf(path), 0o600);
  } finally {
    process.umask(before);
    rmSync(folder, { recursive: true });
  }
});

/** As much of the world as the store touches. */
function ioOver(env: Readonly<Record<string, string>>) {
  const shell = terminal();
  shell.clean();
  const clock = {
    now: Date.now,
    monotonic: () => performance.now(),
    sleep: (ms: number) => new Promise<void>((go) => void setTimeout(go, ms)),
  };
  return { env, platform: 'linux', clock } as unknown as Parameters<typeof changeConfig>[0];
}

spec('a change preserves foreign fields and links, and a failed change writes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'core-config-'));
  const real = join(folder, 'real.json');
  const link = join(folder, 'link.json');
  writeFileSync(
    real,
    '{"theirs":{"a":[1]},"contexts":{"x":{"url":"http://x","mine":1},"__proto__":{"url":"http://y"}}}',
  );
  symlinkSync(real, link);
  const io = ioOver({ CORE_CONFIG: link });
  await changeConfig(io, (file) => withLogin(file, 'z', { url: 'http://z' }));
  assert.ok(lstatSync(link).isSymbolicLink());
  const text = readFileSync(real, 'utf8');
  assert.match(text, /"theirs": \{\n/);
  assert.match(text, /"mine": 1/);
  assert.match(text, /"__proto__": \{/);
  await changeConfig(io, () => {
    throw new CommandFailure(3, 'no');
  }).then(
    () => assert.unreachable(),
    () => {},
  );
  assert.is(readFileSync(real, 'utf8'), text);
  assert.equal(readdirSync(folder).toSorted(), ['link.json', 'real.json']);
  rmSync(folder, { recursive: true });
});

spec('twenty concurrent changes of the file are all saved, and the lock of an ended process is removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'core-config-'));
  const io = ioOver({ CORE_CONFIG: join(folder, 'config.json') });
  const { pid } = spawnSync('true');
  writeFileSync(join(folder, 'config.json.lock'), String(pid));
  const names = Array.from({ length: 20 }, (_, index) => `login-${index}`);
  await Promise.all(names.map((name) => changeConfig(io, (file) => withLogin(file, name, { url: 'http://x' }))));
  assert.equal(Object.keys(readConfig(io).contexts ?? {}).toSorted(), names.toSorted());
  assert.equal(readdirSync(folder), ['config.json']);
  rmSync(folder, { recursive: true });
});

spec('a command reports that the configuration file cannot be read when the path is a folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'core-config-'));
  mkdirSync(join(folder, 'config.json'));
  const shell = terminal();
  const { exit, err } = await shell.core('whoami', { env: { CORE_CONFIG: join(folder, 'config.json') } });
  assert.is(exit, 1);
  assert.match(err, /^Error: .*config\.json cannot be read: EISDIR/);
  shell.clean();
  rmSync(folder, { recursive: true });
});

spec('CLI-001 CLI-010 a change reports that the folder cannot be made and leaves no files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'core-config-'));
  writeFileSync(join(folder, '.config'), 'a file', { mode: 0o644 });
  // Below /proc nothing can be made, and the system says of it what it says of a folder that is missing.
  for (const home of [folder, '/proc/nothing']) {
    const changed = await changeConfig(ioOver({ HOME: home }), (file) => file).catch((error: unknown) => error);
    assert.instance(changed, CommandFailure, home);
    assert.match(String(changed), `${home}/.config/core cannot be made: E`);
  }
  assert.equal([readdirSync(folder), modeOf(join(folder, '.config'))], [['.config'], 0o644]);
  rmSync(folder, { recursive: true });
});

spec(
  'CLI-015 CLI-071 CLI-072 CLI-073 CLI-074 CLI-075 addresses are equal when scheme, host, port and path are equal',
  () => {
    const same = [
      ['https://h', 'https://H/'],
      ['https://h:443', 'https://h'],
      ['http://h:80/', 'http://h'],
      ['HTTPS://h/a', 'https://h/a/'],
      ['http://[::1]:80', 'http://[::1]'],
    ];
    const other = [
      ['http://h', 'https://h'],
      ['https://h:80', 'https://h'],
      ['http://h:443', 'http://h'],
      ['https://h/a', 'https://h/A'],
      ['https://h/a', 'https://h'],
      ['https://h', 'https://i'],
      ['https://h:8443', 'https://h'],
    ];
    for (const [a = '', b = ''] of same) assert.ok(isSameAddress(a, b), `${a} ${b}`);
    for (const [a = '', b = ''] of other) assert.not.ok(isSameAddress(a, b), `${a} ${b}`);
    assert.equal(addressOf('https://Core.Example.com:443/base//'), {
      is: 'address',
      url: 'https://core.example.com/base',
    });
  },
);

spec('an invalid address is refused before a request', async () => {
  const shell = terminal();
  const wrong = [
    'core.example.com',
    'ftp://h',
    'http://',
    'http://a b',
    'http://u:p@h',
    'http://h#x',
    'http://h?q',
    'h:80',
  ];
  for (const url of wrong) {
    const { exit, err } = await shell.core(['login', '--url', url, '--token', 'x']);
    assert.is(exit, 2, url);
    assert.match(err, `Error: --url "${url}": it `);
  }
  shell.clean();
});

const file: ConfigFile = {
  current: 'here',
  contexts: {
    here: { url: 'http://here', token: 'token-here', project: 'p-here', environment: 'e-here' },
    there: { url: 'https://there/', token: 'token-there', project: 'p-there' },
    two: { url: 'http://twice', token: 'token-two' },
    deux: { url: 'http://twice', token: 'token-deux' },
    out: { url: 'http://out', token: '' },
  },
};
const given = (flags: ResolveOptions['flags'], env: ResolveOptions['env'] = {}): ResolveOptions => ({
  flags,
  env,
  file,
});
const refusal = (of: ResolveOptions): readonly [number, string] => {
  try {
    requireTarget(of);
  } catch (error) {
    if (error instanceof CommandFailure) return [error.exit, error.message];
    throw error;
  }
  return [0, ''];
};

spec('CLI-012 CLI-068 CLI-069 a flag overrides a variable, and a variable overrides the current login', () => {
  assert.equal(findTarget(given({})), {
    name: 'here',
    address: 'http://here',
    token: 'token-here',
    project: 'p-here',
    environment: 'e-here',
  });
  assert.is(findTarget(given({}, { CORE_CONTEXT: 'there' }))?.name, 'there');
  assert.is(findTarget(given({ context: 'here' }, { CORE_CONTEXT: 'there' }))?.name, 'here');
  const variables = { CORE_TOKEN: 'vt', CORE_PROJECT: 'vp', CORE_ENVIRONMENT: 've' };
  assert.equal(findTarget(given({}, variables)), {
    name: 'here',
    address: 'http://here',
    token: 'vt',
    project: 'vp',
    environment: 've',
  });
  const flags = { token: 'ft', project: 'fp', environment: 'fe' };
  assert.equal(findTarget(given(flags, variables)), {
    name: 'here',
    address: 'http://here',
    token: 'ft',
    project: 'fp',
    environment: 'fe',
  });
  assert.is(findTarget(given({ project: '' }, { CORE_PROJECT: '' }))?.project, 'p-here');
});

spec('CLI-056 CLI-070 CLI-076 the only login saved for another address is used for that address', () => {
  assert.equal(findTarget(given({ url: 'https://THERE:443' })), {
    name: 'there',
    address: 'https://there',
    token: 'token-there',
    project: 'p-there',
    environment: '',
  });
  assert.is(findTarget(given({ url: 'https://there' }, { CORE_URL: 'http://here' }))?.name, 'there');
  assert.is(findTarget(given({}, { CORE_URL: 'https://there' }))?.token, 'token-there');
});

spec('CLI-077 a command is refused when several logins are saved for another address', () => {
  const [exit, message] = refusal(given({ url: 'http://twice' }));
  assert.is(exit, 2);
  assert.is(message, 'several logins are saved for http://twice: say which with --context (deux, two)');
  assert.is(findTarget(given({ url: 'http://twice', context: 'two' }))?.token, 'token-two');
});

spec('CLI-078 a chosen login is not replaced and its token is not sent to another address', () => {
  assert.equal(refusal(given({ url: 'https://there', context: 'here' })), [
    4,
    "not signed in to https://there: run 'core login --url https://there'",
  ]);
  assert.equal(findTarget(given({ url: 'https://there', context: 'here', token: 'x' })), {
    name: null,
    address: 'https://there',
    token: 'x',
    project: '',
    environment: '',
  });
});

spec('CLI-079 CLI-081 an unknown address has no login, and a given token is used at any address', () => {
  assert.equal(refusal(given({ url: 'http://unknown' })), [
    4,
    "not signed in to http://unknown: run 'core login --url http://unknown'",
  ]);
  assert.is(refusal(given({ context: 'out' }))[0], 4);
  assert.equal(findTarget(given({ url: 'http://unknown' }, { CORE_TOKEN: 'x' }))?.token, 'x');
  assert.is(findTarget(given({ url: 'http://twice', token: 'x' }))?.token, 'x');
  assert.equal(refusal({ flags: {}, env: {}, file: {} }), [4, "not signed in: run 'core login --url <address>'"]);
});

spec('CLI-260 an unknown login is refused with the names of the saved logins', () => {
  assert.equal(refusal(given({ context: 'x' })), [
    3,
    'no saved login called "x": there are deux, here, out, there, two',
  ]);
  assert.is(refusal(given({ context: '__proto__' }))[0], 3);
});

const urls = fc.constantFrom(
  undefined,
  '',
  'http://here',
  'https://there',
  'https://THERE:443/',
  'http://twice',
  'http://no',
);
const names = fc.constantFrom(undefined, '', 'here', 'there', 'two', 'out');
const texts = fc.constantFrom(undefined, '', 'given');

spec(
  'CLI-070 the token and defaults of a saved login are used only at its own address, for any flags and variables',
  () => {
    const arbitrary = fc.record({
      flags: fc.record({ url: urls, context: names, token: texts, project: texts }),
      env: fc.record({ CORE_URL: urls, CORE_CONTEXT: names, CORE_TOKEN: texts, CORE_PROJECT: texts }),
    });
    const homes = new Map(
      Object.values(file.contexts ?? {}).flatMap(({ url, token = '', project = '' }) => [
        [token, url],
        [project, url],
      ]),
    );
    fc.assert(
      fc.property(arbitrary, ({ flags, env }) => {
        let target;
        try {
          target = findTarget(given(flags, env));
        } catch (error) {
          assert.ok(error instanceof CommandFailure && [2, 3].includes(error.exit));
          return;
        }
        if (target === null) return;
        for (const saved of [target.token, target.project])
          if (saved !== '' && saved !== 'given')
            assert.ok(isSameAddress(homes.get(saved) ?? '', target.address), saved);
        const wanted = flags.url || env.CORE_URL;
        if (wanted) assert.ok(isSameAddress(wanted, target.address));
        const token = flags.token || env.CORE_TOKEN;
        if (token) assert.is(target.token, token);
      }),
      { numRuns: 1_000 },
    );
  },
);

spec.run();
