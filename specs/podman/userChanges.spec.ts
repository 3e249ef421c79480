import { cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { at, listAt, textAt } from '../../runtime/embedded/api/json.ts';
import { longestLog } from '../../runtime/embedded/nodes/podman/containerSpec.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { betweenCalls } from './betweenCalls.ts';
import { type OwnNode, nodeOn } from './node.ts';
import { type OwnPodman, importBusybox, lacksPodman, ownPodman } from './ownPodman.ts';

const only = isWhole ? null : 'what goes wrong with containers is played by `npm run whole`';
const lacking = only ?? lacksPodman();
const spec = suite('external changes to podman, and containers that strain their node');
const real = unless(spec, lacking);
let own: OwnPodman;
let node: OwnNode;
let image: string;

spec.before(async () => {
  if (lacking !== null) return;
  own = await ownPodman();
  image = await importBusybox(own);
  node = await nodeOn(own);
});
spec.after(async () => {
  if (lacking !== null) return;
  await node.end();
  await own.end();
});

const forever = 'trap "exit 0" TERM; while :; do sleep 0.1; done';
const main = (script: string, more: object = {}) => ({
  terminationGracePeriodSeconds: 1,
  containers: [{ name: 'main', image, command: ['sh', '-c', script], ...more }],
});
const waiting = (name: string) => textAt(node.statusOf(name)?.state, 'waiting', 'reason');
const remove = (path: string) => own.podman.call({ method: 'DELETE', path, query: { force: 'true', timeout: '0' } });

/** How many containers of a pod run. */
async function runsOf(name: string): Promise<number> {
  const filters = JSON.stringify({ label: [`io.kubernetes.pod.name=${name}`] });
  const found = await own.podman.call({ method: 'GET', path: '/containers/json', query: { filters } });
  const labels = listAt({ found }, 'found').map((one) => textAt(one, 'Labels', 'io.kubernetes.container.name'));
  return labels.filter((one) => one !== '').length;
}

real('two servers on one podman run separate pods, and stopping one leaves the pods of the other', async () => {
  const other = await nodeOn(own);
  for (const one of [node, other]) await one.pod('same', main(forever));
  for (const one of [node, other]) await one.phase('same', 'Running');
  const [mine, theirs] = [node, other].map((one) => one.statusOf('same')?.containerID);
  assert.is.not(mine, theirs);
  await node.restart();
  await other.end();
  await until(async () => (await node.exec('same', ['echo', 'here'])).out === 'here\n', 'it is entered');
  assert.equal([node.statusOf('same')?.containerID, node.statusOf('same')?.restartCount], [mine, 0]);
});

real('a removed container is restarted once and counted', async () => {
  await node.pod('removed', main(forever));
  await node.phase('removed', 'Running');
  const before = node.statusOf('removed')?.containerID ?? '';
  await remove(`/containers/${before.replace('podman://', '')}`);
  await until(
    () => node.statusOf('removed')?.restartCount === 1 && 'running' in (node.statusOf('removed')?.state ?? {}),
    'it runs again',
  );
  assert.is.not(node.statusOf('removed')?.containerID, before);
  assert.is(await runsOf('removed'), 1);
});

real('containers keep their exit codes when a client attaches as they end', async () => {
  const names = ['ends-1', 'ends-2', 'ends-3', 'ends-4'];
  const endOf = async (name: string) => {
    await node.pod(name, { restartPolicy: 'Never', ...main('sleep 1; exit 5') });
    const id = await until(() => node.statusOf(name)?.containerID?.replace('podman://', ''), 'it is made');
    const state = async () =>
      textAt(await own.podman.call({ method: 'GET', path: `/containers/${id}/json` }), 'State', 'Status');
    await until(async () => (await state()) !== 'running', 'it has ended');
    // Too late where the node has taken the container away.
    const query = { stream: 'true', stdout: 'true' };
    const attach = own.podman.hijack({ method: 'POST', path: `/containers/${id}/attach`, query }).catch(() => null);
    await node.phase(name, 'Failed');
    (await attach)?.destroy();
    return at(node.statusOf(name)?.state, 'terminated');
  };
  for (const ended of await Promise.all(names.map(endOf)))
    assert.equal([at(ended, 'reason'), at(ended, 'exitCode')], ['Error', 5]);
});

real('a container is started once when the podman service is killed between create and start', async () => {
  let isKilled = false;
  const restarted: Promise<void>[] = [];
  const between = await betweenCalls(own, {
    before: ({ path }) => {
      if (isKilled || !/\/containers\/[0-9a-f]{64}\/start/.test(path)) return true;
      isKilled = true;
      restarted.push(own.restart());
      return false;
    },
  });
  const other = await nodeOn({ ...own, podman: { ...own.podman, socket: between.socket } });
  await other.pod('interrupted', main(forever));
  await other.phase('interrupted', 'Running');
  await Promise.all(restarted);
  assert.ok(isKilled);
  assert.equal([await runsOf('interrupted'), other.statusOf('interrupted')?.restartCount], [1, 0]);
  await until(async () => (await other.exec('interrupted', ['echo', 'here'])).out === 'here\n', 'it is entered');
  await other.askToEnd('interrupted', 1);
  await until(() => other.get('interrupted') === undefined, 'it is gone');
  await other.end();
  between.stop();
});

real('a pod is restarted in a new network and counted when its network was removed', async () => {
  await node.pod('cut', main(forever));
  await node.phase('cut', 'Running');
  const networks = (await own.podman.call({ method: 'GET', path: '/networks/json' })) as readonly {
    readonly name: string;
  }[];
  for (const { name } of networks) if (name.startsWith(`core-${node.folders.id}-`)) await remove(`/networks/${name}`);
  await until(
    () => (node.statusOf('cut')?.restartCount ?? 0) > 0 && 'running' in (node.statusOf('cut')?.state ?? {}),
    'it runs again',
  );
});

real('a removed image is reported as missing, and its pod runs when the image exists', async () => {
  const name = 'registry.local/base/gone:1';
  const root = join(own.folder, 'gone');
  mkdirSync(root, { recursive: true });
  cpSync(join(own.folder, 'busybox'), root, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(root, 'other'), '');
  await own.importRoot(name, root);
  await node.pod('imageless', main(forever, { image: name }));
  await node.phase('imageless', 'Running');
  await remove(`/images/${encodeURIComponent(name)}`);
  await until(() => ['ErrImagePull', 'ImagePullBackOff'].includes(waiting('imageless')), 'the image is missed');
  await own.importRoot(name, root);
  await until(() => 'running' in (node.statusOf('imageless')?.state ?? {}), 'it runs again');
});

real('a container that died together with its conmon process is removed on request', async () => {
  await node.pod('unwatched', main(forever));
  await node.phase('unwatched', 'Running');
  const id = node.statusOf('unwatched')?.containerID?.replace('podman://', '') ?? '';
  const inspected = await own.podman.call({ method: 'GET', path: `/containers/${id}/json` });
  for (const one of ['ConmonPid', 'Pid']) process.kill(Number(at(inspected, 'State', one)), 'SIGKILL');
  await node.askToEnd('unwatched', 1);
  await until(() => node.get('unwatched') === undefined, 'it is gone', 20_000);
  assert.is(await runsOf('unwatched'), 0);
});

real('a probe without an answer is ended at its timeout and reported', async () => {
  const livenessProbe = {
    exec: { command: ['sleep', '1000'] },
    timeoutSeconds: 1,
    periodSeconds: 1,
    failureThreshold: 1,
  };
  await node.pod('silent', main(forever, { livenessProbe }));
  await until(() => node.statusOf('silent')?.restartCount === 1, 'it is run again');
  const told = node.events('Unhealthy').map((event) => textAt(event, 'message'));
  assert.ok(
    told.some((message) => message === 'Liveness probe failed: command timed out after 1s'),
    told.join('\n'),
  );
});

real(
  'a container with more output than its log limit keeps the end of the log, and its node keeps running',
  async () => {
    const lines = 'busybox head -c 25000000 /dev/zero | busybox tr "\\\\0" x | busybox fold -w 999; echo the end';
    await node.pod('loud', { restartPolicy: 'Never', ...main(lines.replaceAll('\\\\\\\\', '\\\\')) });
    await node.phase('loud', 'Succeeded');
    assert.match(await node.log('loud'), /the end\n$/);
    const { size } = statSync(node.folders.logOf(node.get('loud')?.metadata.uid ?? '', 'main', 0));
    assert.ok(size <= longestLog, `${size} bytes`);
  },
);

real('other containers start, accept commands and stop while one logs five megabytes a second', async () => {
  const piece = 'busybox head -c 500000 /dev/zero | busybox tr "\\0" x | busybox fold -w 999';
  await node.pod('talker', main(`while :; do ${piece}; sleep 0.1; done`));
  await node.phase('talker', 'Running');
  await node.pod('beside', main(forever));
  await node.phase('beside', 'Running');
  for (let round = 0; round < 5; round += 1) {
    assert.is((await node.exec('beside', ['echo', 'here'])).out, 'here\n');
    assert.match(await node.log('talker', { tailLines: 1 }), /^x+\n?$/);
  }
  await node.askToEnd('beside', 1);
  await until(() => node.get('beside') === undefined, 'the other one is gone', 20_000);
  const { size } = statSync(node.folders.logOf(node.get('talker')?.metadata.uid ?? '', 'main', 0));
  assert.ok(size <= longestLog, `${size} bytes`);
  await node.askToEnd('talker', 1);
  await until(() => node.get('talker') === undefined, 'it is gone');
});

spec.run();
