import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { buildPrograms } from '../../runtime/embedded/nodes/podman/build/buildPrograms.ts';
import { gitRunner } from '../../runtime/embedded/nodes/podman/build/gitRun.ts';
import type { Libpod } from '../../runtime/embedded/nodes/podman/libpod.ts';
import { gitScript } from '../../rules/build/gitScript.ts';
import { gitIsThere, makeWorkTree, type WorkTree } from '../runtime/gitHost/client.ts';
import { startHost, type Host } from '../runtime/gitHost/host.ts';
import { suite } from '../support/suite.ts';

const spec = suite('git of the machine in a prepared workspace');
if (!gitIsThere()) process.exit(0);
let host: Host;
let tree: WorkTree;
let commit = '';
let folder = '';
const inside = (...names: readonly string[]) => join(folder, ...names);

spec.before(async () => {
  host = await startHost();
  tree = await makeWorkTree();
  commit = await tree.commit({ 'src/a.txt': 'one', '.gitattributes': '*.txt filter=own\n' }, 'One');
  await tree.git('push', `${host.cloneUrl}/demo/cloned.git`, 'HEAD:main');
});
spec.after(async () => {
  await host.end();
  tree.clean();
});
spec.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'core-git-spec-'));
  mkdirSync(inside('workspace'));
  mkdirSync(inside('outside'));
});
spec.after.each(() => rmSync(folder, { recursive: true, force: true }));

/** Clones, with more of the environment and somebody who does something once git has begun. */
async function clone(more: Readonly<Record<string, string>> = {}, begun: () => void = () => {}) {
  const lines: string[] = [];
  const { exitCode } = await gitRunner(gitScript)({
    words: ['sh', '-c', gitScript],
    env: {
      REPOSITORY_URL: `${host.cloneUrl}/demo/cloned.git`,
      BRANCH: 'main',
      COMMIT: commit,
      GIT_TOKEN: await host.token(),
      WORKSPACE: '/workspace',
      ...more,
    },
    folders: [{ path: '/workspace', from: inside('workspace') }],
    say: (line) => {
      lines.push(line);
      if (line.startsWith('Cloning into')) begun();
    },
    gone: new AbortController().signal,
  });
  return { exitCode, last: lines.at(-1) };
}

/** A repository whose settings and hooks each leave a mark, where git takes them. */
function plant(place: string) {
  mkdirSync(join(place, '.git/hooks'), { recursive: true });
  const leavesMark = `#!/bin/sh\ntouch ${inside('mark')}\ncat\n`;
  for (const name of ['post-checkout', 'run'])
    writeFileSync(join(place, '.git/hooks', name), leavesMark, { mode: 0o755 });
  const run = join(place, '.git/hooks/run');
  const settings = `[core]\n\tfsmonitor = ${run}\n\tsshCommand = ${run}\n[filter "own"]\n\tsmudge = ${run}\n`;
  writeFileSync(join(place, '.git/config'), settings);
}
const isMarked = () => existsSync(inside('mark'));
const left = () => readdirSync(folder).toSorted();

spec(
  'environment variables of the container do not configure git, and no files remain outside the workspace',
  async () => {
    plant(inside('outside'));
    const { exitCode, last } = await clone({
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: inside('outside/.git/hooks'),
      GIT_CONFIG_GLOBAL: inside('outside/.git/config'),
      GIT_TEMPLATE_DIR: inside('outside/.git'),
    });
    assert.equal([exitCode, last, isMarked()], [0, `Checked out ${commit} One`, false]);
    assert.is(readFileSync(inside('workspace/src/a.txt'), 'utf8'), 'one');
    assert.equal(left(), ['outside', 'workspace']);
  },
);

spec('a workspace that is not empty is refused before git runs', async () => {
  plant(inside('workspace'));
  assert.equal(await clone(), { exitCode: 1, last: 'error: the workspace is not empty' });
  assert.not.ok(isMarked());
});

spec('a symbolic link in the volume is refused as a workspace', async () => {
  symlinkSync(inside('outside'), inside('workspace/link'));
  const refused = { exitCode: 1, last: 'error: no volume is mounted at /workspace/link' };
  assert.equal(await clone({ WORKSPACE: '/workspace/link' }), refused);
  assert.equal(readdirSync(inside('outside')), []);
});

spec('hooks and links written into the workspace while git runs are neither run nor followed', async () => {
  const { exitCode, last } = await clone({}, () => {
    plant(inside('workspace'));
    symlinkSync(inside('outside'), inside('workspace/src'));
  });
  const said = 'error: the workspace was written to while the source was cloned';
  assert.equal([exitCode, last, isMarked()], [1, said, false]);
  assert.equal(readdirSync(inside('outside')), []);
  assert.equal(left(), ['outside', 'workspace']);
});

spec('a subPath of a volume is refused as a workspace', async () => {
  const settings = { images: { git: 'git', builder: 'builder' }, gitScript, localRegistry: 'registry.local' };
  const programs = buildPrograms({ ...settings, namespace: 'core' });
  const node = { podman: {} as Libpod, owner: 'spec', bring: () => Promise.reject(new Error('nothing is built')) };
  const log = new PassThrough();
  const volumeMounts = [{ name: 'source', mountPath: '/workspace', subPath: 'link' }];
  const container = { name: 'git', volumeMounts };
  const createdAt = '2030-01-01T00:00:00Z';
  const metadata = { name: 'build', namespace: 'core', uid: 'u', resourceVersion: '1', creationTimestamp: createdAt };
  const exitCode = await programs(node).get('git')?.({
    pod: { apiVersion: 'v1', kind: 'Pod', metadata },
    container,
    words: ['sh', '-c', gitScript],
    environment: new Map([['WORKSPACE', '/workspace']]),
    pathOf: () => inside('outside'),
    log,
    leave: () => {},
    gone: new AbortController().signal,
  });
  log.end();
  assert.equal([exitCode, await text(log)], [1, 'error: no volume is mounted at /workspace\n']);
});

spec.run();
