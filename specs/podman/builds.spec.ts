import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import * as assert from 'uvu/assert';
import { gitScript } from '../../rules/build/gitScript.ts';
import { digestOf, pushedDigest, scannedOn, unread } from '../../rules/build/image.ts';
import { endBuilds } from '../../runtime/embedded/nodes/podman/build/buildGroup.ts';
import { builderRunner } from '../../runtime/embedded/nodes/podman/build/builderRun.ts';
import { gitRunner } from '../../runtime/embedded/nodes/podman/build/gitRun.ts';
import {
  boundPath,
  killedCode,
  type NodeRun,
  type NodeRunner,
} from '../../runtime/embedded/nodes/podman/build/nodeRun.ts';
import { loginHeader, registryLogins, registryOf } from '../../runtime/embedded/nodes/podman/build/registryLogins.ts';
import { at, textAt } from '../../runtime/embedded/api/json.ts';
import { gitIsThere, makeWorkTree, type WorkTree } from '../runtime/gitHost/client.ts';
import { startHost, type Host } from '../runtime/gitHost/host.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { importBusybox, lacksPodman, ownPodman, type OwnPodman } from './ownPodman.ts';

const owner = `spec${process.pid}`;
const registry = '127.0.0.1:5000';
const login = { username: 'builder', password: 'pa:ss wörd' };
const spec = suite('builds by podman');
if (!gitIsThere()) process.exit(0);
const real = unless(spec, lacksPodman());
let workspace: string;
let own: OwnPodman | null = null;
let host: Host;
let tree: WorkTree;

spec.before(async () => {
  workspace = mkdtempSync(join(tmpdir(), 'core-workspace-'));
  host = await startHost();
  tree = await makeWorkTree();
  if (lacksPodman() !== null) return;
  own = await ownPodman();
  await importBusybox(own);
  startRegistry(own);
});
spec.after(async () => {
  await own?.end();
  await endBuilds(owner);
  await host.end();
  tree.clean();
  rmSync(workspace, { recursive: true, force: true });
});
spec.before.each(() => {
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(workspace);
});

function startRegistry({ folder, beside }: OwnPodman) {
  const htpasswd = join(folder, 'htpasswd');
  writeFileSync(htpasswd, `${login.username}:${hashSync(login.password, 4)}\n`);
  const settings = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(folder, 'registry') } },
    http: { addr: registry },
    auth: { htpasswd: { realm: 'spec', path: htpasswd } },
  };
  writeFileSync(join(folder, 'registry.yml'), JSON.stringify(settings));
  beside('docker-registry', ['serve', join(folder, 'registry.yml')]);
}

interface ContainerRun {
  readonly env?: Readonly<Record<string, string>>;
  readonly folders?: NodeRun['folders'];
  readonly onLine?: (line: string) => void;
  readonly gone?: AbortSignal;
}

/** Runs a container of the node with the workspace at its place, and tells how it ended and what it said. */
async function run(runner: NodeRunner, words: readonly string[], course: ContainerRun = {}) {
  const lines: string[] = [];
  const { env = {}, folders = [], onLine, gone = new AbortController().signal } = course;
  const end = await runner({
    words,
    env,
    folders: [{ path: '/workspace', from: workspace }, ...folders],
    say: (line) => {
      lines.push(line);
      onLine?.(line);
    },
    gone,
  });
  return { ...end, lines, last: lines.at(-1) ?? '' };
}

const podmanHere = () => {
  if (!own) throw new Error('podman was not started');
  return own.podman;
};
const build = (words: readonly string[], course: ContainerRun = {}) =>
  run(
    builderRunner({ podman: podmanHere(), localRegistry: 'registry.local', owner, bring: (_, make) => make() }),
    words,
    course,
  );
const kaniko = (destination: string, recipe = 'Buildfile', context = '') => [
  `--context=dir:///workspace${context}`,
  `--dockerfile=/workspace/${recipe}`,
  `--destination=${destination}`,
  '--digest-file=/dev/termination-log',
];

const source = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(workspace, name, '..'), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
};

/** What a container of an image writes. */
async function outputOf(image: string): Promise<string> {
  const made = await podmanHere().call({
    method: 'POST',
    path: '/containers/create',
    body: { image, netns: { nsmode: 'none' } },
  });
  const id = textAt(made, 'Id');
  await podmanHere().call({ method: 'POST', path: `/containers/${id}/start` });
  await podmanHere().call({ method: 'POST', path: `/containers/${id}/wait` });
  const log = await podmanHere().stream({
    method: 'GET',
    path: `/containers/${id}/logs`,
    query: { stdout: 'true', stderr: 'true' },
  });
  const chunks: Buffer[] = [];
  for await (const chunk of log) chunks.push(chunk as Buffer);
  // Each frame begins with eight bytes that say its stream and length.
  return Buffer.concat(chunks).subarray(8).toString();
}

spec('a path in a container is mapped to the innermost bound folder', () => {
  const folders = [
    { path: '/workspace', from: '/a' },
    { path: '/workspace/cache', from: '/b' },
  ];
  assert.equal(boundPath(folders, '/workspace/x/../y'), { folder: '/a', path: '/a/y' });
  assert.equal(boundPath(folders, '/workspace/cache/z'), { folder: '/b', path: '/b/z' });
  assert.is(boundPath(folders, '/workspaces'), null);
  assert.is(boundPath(folders, '/workspace/../etc/passwd'), null);
});

spec('BLD-048 logins are read from the registry client configuration as clients write it', () => {
  const auth = Buffer.from(`${login.username}:${login.password}`).toString('base64');
  const text = JSON.stringify({
    auths: { 'https://index.docker.io/v1/': { auth }, 'r.example:5000': login, empty: {} },
  });
  assert.equal(registryLogins(text), { 'docker.io': login, 'r.example:5000': login });
  assert.equal([registryLogins(''), registryLogins('[]')], [{}, {}]);
  assert.equal(['nginx:1', 'demo/web', 'localhost/x', 'r.example:5000/a/b'].map(registryOf), [
    'docker.io',
    'docker.io',
    'localhost',
    'r.example:5000',
  ]);
  const header = loginHeader(login)['x-registry-auth'] ?? '';
  assert.is(header.length % 4, 0, 'padding');
  assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()), login);
});

const gitEnv = (more: Readonly<Record<string, string>>) => ({
  REPOSITORY_URL: `${host.cloneUrl}/demo/built.git`,
  BRANCH: 'main',
  WORKSPACE: '/workspace',
  ...more,
});

spec('BLD-082 the clone script runs with the git of the machine, in the folder of the workspace', async () => {
  const url = `${host.cloneUrl}/demo/built.git`;
  const commit = await tree.commit({ Buildfile: 'FROM scratch\n', 'src/a.txt': 'one' }, 'One');
  await tree.git('push', url, 'HEAD:main');
  await tree.commit({ 'src/a.txt': 'two' }, 'Two');
  await tree.git('push', url, 'HEAD:main');
  const words = ['sh', '-c', gitScript];
  const env = gitEnv({
    COMMIT: commit,
    GIT_TOKEN: await host.token(),
    PATH: '/nowhere',
    GIT_CONFIG_GLOBAL: '/etc/passwd',
  });
  const { exitCode, lines, last } = await run(gitRunner(gitScript), words, { env });
  assert.is(exitCode, 0, lines.join('\n'));
  assert.is(last, `Checked out ${commit} One`);
  assert.is(readFileSync(join(workspace, 'src/a.txt'), 'utf8'), 'one');
  assert.not.ok(
    lines.some((line) => line.includes(workspace)),
    'no path of the machine is said',
  );
});

spec('the git image runs only the clone script, and only over HTTP', async () => {
  const other = await run(gitRunner(gitScript), ['sh', '-c', `touch ${workspace}/made`]);
  assert.is(other.exitCode, 126);
  assert.equal(readdirSync(workspace), []);
  const words = ['sh', '-c', gitScript];
  const local = await run(gitRunner(gitScript), words, {
    env: gitEnv({ REPOSITORY_URL: 'file:///etc', COMMIT: 'HEAD' }),
  });
  assert.is.not(local.exitCode, 0);
  assert.match(local.last, "transport 'file' not allowed");
  const unbound = await run(gitRunner(gitScript), words, { env: gitEnv({ WORKSPACE: '/elsewhere' }) });
  assert.equal([unbound.exitCode, unbound.last], [1, 'error: no volume is mounted at /elsewhere']);
});

spec('a cancelled clone is killed with its child processes', async () => {
  const gone = new AbortController();
  // Nobody else on this machine sleeps as long.
  const sleeping = `sleep 8${process.pid}`;
  const script = `echo begun; ${sleeping} & ${sleeping}`;
  const env = gitEnv({});
  const onLine = () => gone.abort();
  const { exitCode } = await run(gitRunner(script), ['sh', '-c', script], { env, gone: gone.signal, onLine });
  assert.is(exitCode, killedCode);
  await until(() => !processes().some((line) => line === sleeping), 'the processes to end');
});

const processes = (): readonly string[] =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim());

const base = 'FROM registry.local/base/busybox:1\n';

real(
  'BLD-085 BLD-059 BLD-063 an image is built on its machine and runs by digest, also when the tag has moved',
  async () => {
    const image = 'registry.local/apps/hello:main';
    source({
      Buildfile: `${base}ARG WHO=nobody\nRUN echo "for $WHO"; test ! -e /app/skipped\nCOPY . /app\nRUN ls /app\nCMD ["cat","/app/text"]\n`,
      text: 'one',
      skipped: 'no',
      '.containerignore': 'skipped\n',
    });
    const first = await build([...kaniko(image), '--build-arg=WHO=world']);
    assert.is(first.exitCode, 0, first.lines.join('\n'));
    assert.ok(first.lines.includes('for world'));
    assert.not.ok(first.lines.includes('skipped'));
    assert.ok(first.lines.includes('text'));
    const digest = digestOf(first.message);
    assert.ok(digest);
    assert.is(pushedDigest(scannedOn(unread, `${first.last}\n`, image), image), digest);
    source({ text: 'two' });
    const second = await build(kaniko(image));
    assert.is.not(second.message, first.message);
    assert.is(await outputOf(`registry.local/apps/hello@${first.message}`), 'one');
    assert.is(await outputOf(`registry.local/apps/hello@${second.message}`), 'two');
  },
);

real('BLD-050 a step of an earlier build is reused only when the layer cache is enabled', async () => {
  source({ Buildfile: `${base}RUN cat /proc/sys/kernel/random/uuid\n` });
  const ids = async (words: readonly string[]) =>
    (await build([...kaniko('registry.local/apps/cached:1'), ...words])).lines.filter((line) =>
      /^[0-9a-f-]{36}$/.test(line),
    );
  assert.is((await ids(['--cache=true'])).length, 1);
  assert.is((await ids(['--cache=true'])).length, 0);
  assert.is((await ids([])).length, 1);
});

real('lines of a build are reported at once, and a cancelled build leaves no process', async () => {
  source({ Buildfile: `${base}RUN echo first; sleep 5432 & sleep 5432\nRUN sleep 5433\n` });
  const gone = new AbortController();
  const onLine = (line: string) => line === 'first' && gone.abort();
  const { exitCode, message } = await build(kaniko('registry.local/apps/slow:1'), { gone: gone.signal, onLine });
  assert.equal([exitCode, message], [killedCode, '']);
  assert.not.ok(processes().some((line) => line.startsWith('sleep 543')));
});

real('builds left by a dead server are stopped by its next start, and those of other servers are not', async () => {
  source({ Buildfile: `${base}RUN echo first; sleep 6543\n` });
  const left = build(kaniko('registry.local/apps/left:1'), {});
  await until(() => processes().includes('sleep 6543'), 'the build to begin');
  await endBuilds(`${owner}other`);
  assert.ok(processes().includes('sleep 6543'));
  await endBuilds(owner);
  const { exitCode, last } = await left;
  assert.is(exitCode, 1);
  assert.match(last, /^error: .*RUN echo first/);
});

real('a failing or missing build recipe is reported with the error of podman and paths of the container', async () => {
  source({ Buildfile: `${base}RUN echo oops; exit 3\n`, 'sub/Dockerfile': `${base}COPY absent /x\n` });
  const failed = await build(kaniko('registry.local/apps/bad:1'));
  assert.is(failed.exitCode, 1);
  assert.match(failed.last, /^error: building at STEP "RUN echo oops; exit 3": .*exit status 3$/);
  const absent = await build(kaniko('registry.local/apps/bad:1', 'sub/Buildfile', '/sub'));
  assert.is(absent.last, 'error: there is no /workspace/sub/Buildfile in the repository; there is Dockerfile');
  const copied = await build(kaniko('registry.local/apps/bad:1', 'sub/Dockerfile', '/sub'));
  assert.match(copied.last, /COPY absent.*no such file or directory$/);
  assert.not.match(copied.last, 'libpod_builder');
  const unknown = await build([...kaniko('registry.local/apps/bad:1'), '--privileged']);
  assert.is(unknown.last, 'error: unknown flag: --privileged');
});

real('a link in the source cannot lead a build to files of the machine', async () => {
  source({ Buildfile: `${base}COPY link /found\nRUN cat /found\n`, 'sub/a': '', 'in/a': '' });
  symlinkSync('/etc/hostname', join(workspace, 'link'));
  symlinkSync('/etc', join(workspace, 'folder'));
  symlinkSync('/etc/hostname', join(workspace, 'in/.dockerignore'));
  assert.is((await build(kaniko('registry.local/apps/l:1'))).exitCode, 1);
  const recipe = await build(kaniko('registry.local/apps/l:1', 'link'));
  assert.is(recipe.last, 'error: /workspace/link leads out of the repository');
  const folder = await build(kaniko('registry.local/apps/l:1', 'Buildfile', '/folder'));
  assert.is(folder.last, 'error: /workspace/folder leads out of the repository');
  const ignore = await build(kaniko('registry.local/apps/l:1', 'Buildfile', '/in'));
  assert.is(ignore.last, 'error: /workspace/in/.dockerignore leads out of its folder');
});

real('BLD-033 a build recipe outside of the build context is not copied into the image', async () => {
  source({ Buildfile: `${base}COPY . /app\nRUN echo "has $(ls -A /app | cat)"\n`, 'sub/only': '' });
  const { exitCode, lines } = await build(kaniko('registry.local/apps/out:1', 'Buildfile', '/sub'));
  assert.is(exitCode, 0, lines.join('\n'));
  assert.ok(lines.includes('has only'));
});

real(
  'BLD-058 BLD-048 an image is pushed to another registry with the login of the build, and has its digest there',
  async () => {
    source({ Buildfile: `${base}RUN echo 1 > /one\n` });
    const keys = mkdtempSync(join(tmpdir(), 'core-login-'));
    const folders = [{ path: '/kaniko/.docker', from: keys }];
    const configured = (password: string) =>
      writeFileSync(join(keys, 'config.json'), JSON.stringify({ auths: { [registry]: { ...login, password } } }));
    configured(login.password);
    const { exitCode, lines, message } = await build(kaniko(`${registry}/team/x:1`), { folders });
    assert.is(exitCode, 0, lines.join('\n'));
    const inspected = await podmanHere().call({ method: 'GET', path: `/images/${registry}/team/x:1/json` });
    assert.is.not(at(inspected, 'Digest'), message, 'compressed layers have another manifest');
    configured('wrong');
    const refused = await build(kaniko(`${registry}/team/x:2`), { folders });
    assert.is(refused.exitCode, 1);
    assert.match(refused.last, /^error: .*(unauthorized|authentication required)/);
    rmSync(keys, { recursive: true, force: true });
  },
);

spec.run();
