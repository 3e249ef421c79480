import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Items, NewApiToken, Summary } from '../../http/api.ts';
import { askJson } from '../support/askJson.ts';
import { type Product, root, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';

const spec = suite('the installed command line against the product');
let product: Product;
let home = '';
let project = '';

const environment = (env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
  HOME: home,
  ...env,
});

interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the bundle; what it says must not hold a secret. */
const core = (line: string | readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((ended) => {
    const args = typeof line === 'string' ? line.split(' ') : line;
    const child = execFile(
      process.execPath,
      [join(root, 'dist/core.js'), ...args],
      { env: environment(env), timeout: 60_000 },
      (error, out, err) => ended({ exit: Number(error?.code ?? (error ? -1 : 0)), out, err }),
    );
    child.stdin?.end();
  });

async function ok(line: string | readonly string[]): Promise<string> {
  const { exit, out, err } = await core(line);
  assert.is(exit, 0, `${String(line)}: ${err}`);
  return out;
}

spec.before(async () => {
  product = await startProduct();
  home = mkdtempSync(join(tmpdir(), 'core-home-'));
  const created = await askJson<{ readonly name: string }>(product, 'POST', '/projects', { displayName: 'shop' });
  project = created.name;
  await until(async () => {
    const { items } = await askJson<Items<Summary>>(product, 'GET', '/projects');
    return items.some(({ name, state }) => name === project && state === 'ready');
  }, 'the project is ready');
});
spec.after(async () => {
  await product.end('SIGTERM');
  product.clean();
  rmSync(home, { recursive: true, force: true });
});

const address = () => (product.endpoints.dashboard ?? '').replace(/\/$/, '');

spec('DEV-027 SEC-013 CLI-088 a user signs in by a code that an admin approves', async () => {
  const child = spawn(process.execPath, [join(root, 'dist/core.js'), 'login', '--url', address()], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = collect(child);
  const code = await until(() => /code=(\S+)/.exec(said.err())?.[1], 'the code is told');
  await askJson(product, 'POST', '/auth/device/approve', { code, access: 'admin', days: 7 });
  const [exit] = (await once(child, 'close')) as [number];
  assert.is(exit, 0, said.err());
  assert.match(said.out(), `Signed in to ${address()} as token:core on `);
  const file = join(home, '.config/core/config.json');
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.ok(readFileSync(file, 'utf8').includes(address()));
});

function collect(child: ChildProcess) {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (err += text.toString()));
  return { out: () => out, err: () => err };
}

spec(
  'CLI-131 CLI-153 CLI-159 CLI-161 CLI-186 CLI-192 CLI-208 CLI-213 CLI-227 CLI-234 a service is created, changed and deleted by commands alone',
  async () => {
    await ok(`config set-context -p ${project} -e production`);
    assert.is(await ok('apps create web --image nginx:1.27'), 'Created web as a draft.\n');
    assert.match(await ok('status'), /\nweb +draft +- +- +- /);
    const deployed = await core('deploy web --wait');
    assert.equal([deployed.exit, deployed.err.split('\n')[0]], [0, 'web: deploying'], deployed.err);
    assert.match(deployed.err, /\nready\b/);
    assert.match(deployed.out, /\nweb +ready +1\/1 +- /);
    assert.match(
      await ok('env set web MODE=fast KEY=hush --secret --deploy --wait'),
      /^set MODE\nset KEY\nNAME [^\n]+\nweb +ready/,
    );
    const variables = await ok('env list web --json');
    assert.not.match(variables, /hush|fast/);
    assert.is(await ok('scale web 2'), 'web scaled to 2\n');
    await until(async () => /\nweb +ready +2\/2 /.test(await ok('status web')), 'two copies run');
    assert.match(await ok('logs web --tail 5'), /^\d\d:\d\d:\d\d [a-z0-9]+ \S/);
    const [, newest = '', earlier = ''] = (await ok('apps deployments web'))
      .split('\n')
      .map((row) => row.split(' ')[0]);
    assert.is.not(newest, earlier);
    assert.match(await ok('rollback web --wait'), new RegExp(`^web rolled back to ${earlier}\nNAME`));
    assert.match(await ok('explain web'), /service: Ready/);
    assert.match(await ok('history web'), / deployed +Deployed /);
    assert.is((await core('apps delete web')).exit, 2);
    assert.is(await ok('apps delete web --yes'), 'Deleted web\n');
    await until(async () => (await core('apps get web')).exit === 3, 'it is gone');
  },
);

spec('CLI-228 CLI-145 CLI-259 a refused command exits with its code and creates nothing', async () => {
  const missing = await core('deploy nowhere --wait');
  assert.equal([missing.exit, missing.err], [3, 'Error: service "nowhere" was not found\n']);
  const place = ['-p', 'none', '-e', 'production'];
  const { exit, err } = await core(['apps', 'create', 'web', '--image', 'nginx', ...place]);
  assert.equal([exit, err], [1, 'Error: there is no project "none"\n']);
});

spec('AUT-040 AUT-041 CLI-261 a viewer can read and cannot change anything', async () => {
  const { token } = await askJson<NewApiToken>(product, 'POST', '/tokens', { name: 'viewer', role: 'viewer' });
  const env = { CORE_URL: address(), CORE_TOKEN: token };
  await ok('apps create api --image nginx:1.27 --deploy');
  assert.match((await core('status api', env)).out, /\napi /);
  for (const [line, why] of [
    ['deploy api', 'your role changes nothing'],
    ['scale api 3', 'your role changes nothing'],
    ['logs api', 'your role reads no logs'],
    ['env list api', 'your role reads no variables'],
  ] as const)
    assert.equal(await core(line, env), { exit: 4, out: '', err: `Error: ${why}\n` });
});

spec('a closed pipe ends the command without an error', async () => {
  const script = `node ${join(root, 'dist/core.js')} openapi | head -1; echo "\${PIPESTATUS[0]}"`;
  const { out, err } = await shell('bash', script);
  assert.equal([out, err], ['{\n0\n', '']);
});

const shell = (name: string, script: string): Promise<Ended> =>
  new Promise((ended) => {
    execFile(name, ['-c', script], { env: environment() }, (error, out, err) =>
      ended({ exit: Number(error?.code ?? 0), out, err }),
    );
  });

spec('bash completes commands, flags and names of services, and its script may be loaded twice', async () => {
  await shell('bash', `mkdir -p ${join(home, 'bin')}`);
  symlinkSync(join(root, 'dist/core.js'), join(home, 'bin/core'));
  const complete = async (...words: readonly string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    const script = `source <(core completion bash); source <(core completion bash)
      COMP_WORDS=(core ${typed}); COMP_CWORD=${words.length}; _core; printf '%s ' "\${COMPREPLY[@]}"`;
    const { out, err } = await shell('bash', script);
    assert.is(err, '');
    return out.trim();
  };
  assert.is(await complete('dep'), 'deploy');
  assert.is(await complete('deploy', ''), 'api');
  assert.is(await complete('deploy', 'api', '--ti'), '--timeout');
  assert.is(await complete('logs', 'api', '--level', 'w'), 'warn');
});

spec('the command line runs as a single file', async () => {
  const file = join(home, 'core');
  copyFileSync(join(root, 'dist/core'), file);
  const run = (line: string) => shell('sh', `${file} ${line}`);
  assert.match((await run('version')).out, /^core \S+\napi v1\n$/);
  assert.match((await run('status api')).out, /\napi /);
  const started = await run('start');
  assert.equal([started.exit, started.out], [2, '']);
  assert.match(started.err, /^Error: start is not in this file/);
  assert.not.ok(existsSync(join(home, '.core')));
});

spec('CLI-174 Ctrl-C ends a followed log with 0, and a wait with 130', async () => {
  const interrupted = async (line: string, when: (said: ReturnType<typeof collect>) => boolean) => {
    const child = spawn(process.execPath, [join(root, 'dist/core.js'), ...line.split(' ')], { env: environment() });
    const said = collect(child);
    await until(() => when(said), `${line} is under way`);
    child.kill('SIGINT');
    const [exit] = (await once(child, 'close')) as [number];
    return { exit, err: said.err() };
  };
  assert.equal(await interrupted('logs api -f', ({ out }) => out() !== ''), { exit: 0, err: '' });
  await ok('apps create stuck --image registry.local/none/none:1');
  const { exit, err } = await interrupted('deploy stuck --wait', (said) => said.err().includes('deploying'));
  assert.is(exit, 130);
  assert.match(err, 'Error: no longer waiting for stuck: its deploy goes on\n');
});

spec.run();
