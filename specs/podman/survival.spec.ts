import { rmSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { at, textAt } from '../../runtime/embedded/api/json.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { type OwnNode, nodeOn } from './node.ts';
import { type OwnPodman, importBusybox, lacksPodman, ownPodman } from './ownPodman.ts';

const lacking = isWhole ? lacksPodman() : 'what containers outlive is played by `npm run whole`';
const spec = suite('containers over reboots and restarts');
const real = unless(spec, lacking);
let own: OwnPodman;
let node: OwnNode;
let image = '';

spec.before(async () => {
  if (lacking !== null) return;
  own = await ownPodman();
  image = await importBusybox(own);
  node = await nodeOn(own);
});
spec.after(async () => {
  await node?.end();
  await own?.end();
});

const main = (script: string, more: object = {}) => ({
  terminationGracePeriodSeconds: 1,
  containers: [{ name: 'main', image, command: ['sh', '-c', script], ...more }],
});
const forever = 'trap "exit 0" TERM; while :; do sleep 0.1; done';
const idOf = (name: string) => node.statusOf(name)?.containerID ?? '';

real('containers are restarted at their addresses and counted when the machine reboots', async () => {
  const secret = Buffer.from('hidden').toString('base64');
  await node.put('/secrets', 'keys', { apiVersion: 'v1', kind: 'Secret', data: { key: secret } });
  await node.pod('again', {
    ...main(`cat /keys/key; echo; ${forever}`, { volumeMounts: [{ name: 'keys', mountPath: '/keys' }] }),
    volumes: [{ name: 'keys', secret: { secretName: 'keys' } }],
  });
  // What is kept in memory is lost with it, so what fills it is run again too.
  const scratch = { volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }] };
  await node.pod('prepared', {
    ...main(`cat /scratch/word && ${forever}`, scratch),
    initContainers: [
      { name: 'first', image, command: ['sh', '-c', 'echo one > /scratch/word'], ...scratch },
      { name: 'second', image, command: ['sh', '-c', 'echo two >> /scratch/word'], ...scratch },
    ],
    volumes: [{ name: 'scratch', emptyDir: { medium: 'Memory' } }],
  });
  await node.phase('prepared', 'Running');
  await node.pod('done', { restartPolicy: 'Never', ...main('exit 0') });
  await node.pod('once', { restartPolicy: 'Never', ...main(forever) });
  for (const [name, phase] of [
    ['again', 'Running'],
    ['done', 'Succeeded'],
    ['once', 'Running'],
  ] as const)
    await node.phase(name, phase);
  const address = textAt(node.get('again'), 'status', 'podIP');
  const before = idOf('again');
  await node.restart(async () => {
    await own.reboot();
    for (const name of ['again', 'prepared'])
      rmSync(node.folders.inMemory(node.get(name)?.metadata.uid ?? ''), { recursive: true, force: true });
  });
  await until(() => node.statusOf('again')?.restartCount === 1, 'it is run again, and counted');
  await until(() => node.statusOf('again')?.ready === true, 'it is ready again');
  assert.is.not(idOf('again'), before);
  await until(async () => (await node.log('again')) === 'hidden\n', 'the log of the new run');
  assert.is(await node.log('again', { previous: true }), 'hidden\n', 'and that of the one before');
  assert.is(textAt(node.get('again'), 'status', 'podIP'), address, 'at its address');
  await until(() => node.statusOf('prepared')?.restartCount === 1, 'it is run again');
  await until(async () => (await node.log('prepared')) === 'one\ntwo\n', 'after what comes first, in order');
  assert.is(node.statusOf('prepared')?.restartCount, 1);
  await node.phase('once', 'Failed');
  assert.is(node.get('done')?.status?.phase, 'Succeeded');
  assert.is(node.statusOf('done')?.restartCount, 0);
});

real('containers survive a kill of the podman service, exit codes are read, and the node starts pods', async () => {
  await node.pod('stays', main(forever));
  await node.pod('ends', { restartPolicy: 'Never', ...main('sleep 2; exit 6') });
  for (const name of ['stays', 'ends']) await node.phase(name, 'Running');
  const before = idOf('stays');
  await own.restart();
  await node.phase('ends', 'Failed');
  assert.is(at(node.statusOf('ends')?.state, 'terminated', 'exitCode'), 6);
  assert.equal([idOf('stays'), node.statusOf('stays')?.restartCount], [before, 0]);
  await node.pod('next', main(forever));
  await node.phase('next', 'Running');
  assert.is((await node.exec('stays', ['echo', 'yes'])).out, 'yes\n');
});

real('pods of another data directory are reported and left unchanged', async () => {
  const other = await nodeOn(own);
  await other.pod('theirs', main(forever));
  await other.phase('theirs', 'Running');
  const theirs = textAt(other.statusOf('theirs'), 'containerID').replace('podman://', '');
  await node.pod('ours', main(forever));
  await node.phase('ours', 'Running');
  await node.restart();
  await until(
    () => node.said().some(({ message, pods }) => /another data directory/.test(message) && pods === 1),
    'it is told',
  );
  await node.askToEnd('ours', 1);
  await until(() => node.get('ours') === undefined, 'ours is gone');
  const inspected = await own.podman.call({ method: 'GET', path: `/containers/${theirs}/json` });
  assert.is(at(inspected, 'State', 'Running'), true);
  await other.askToEnd('theirs', 1);
  await until(() => other.get('theirs') === undefined, 'theirs is gone');
  await other.end();
});

spec.run();
