import { cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { textAt } from '../../runtime/embedded/api/json.ts';
import { longestLog } from '../../runtime/embedded/nodes/podman/containerSpec.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { type OwnNode, nodeOn } from './node.ts';
import { type OwnPodman, importBusybox, lacksPodman, ownPodman } from './ownPodman.ts';

const only = isWhole ? null : 'what goes wrong with containers is played by `npm run whole`';
const lacking = only ?? lacksPodman();
const spec = suite('what others do to a podman, and what containers do to their node');
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

real('two servers on one podman each run their own pods, and the end of one leaves those of the other', async () => {
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

real('a pod whose network somebody removed is run again in a new one, counted', async () => {
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

real(
  'an image that somebody removed with its container is told as missing, and the pod runs once it is back',
  async () => {
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
  },
);

real('a probe that never answers is ended in its time, and told', async () => {
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

real('a container that says more than its log holds keeps the end of it, and its node goes on', async () => {
  const lines = 'busybox head -c 25000000 /dev/zero | busybox tr "\\\\0" x | busybox fold -w 999; echo the end';
  await node.pod('loud', { restartPolicy: 'Never', ...main(lines.replaceAll('\\\\\\\\', '\\\\')) });
  await node.phase('loud', 'Succeeded');
  assert.match(await node.log('loud'), /the end\n$/);
  const { size } = statSync(node.folders.logOf(node.get('loud')?.metadata.uid ?? '', 'main', 0));
  assert.ok(size <= longestLog, `${size} bytes`);
});

spec.run();
