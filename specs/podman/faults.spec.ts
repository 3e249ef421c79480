import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { type Nodes, startNodes } from '../../runtime/embedded/nodes/nodes.ts';
import { foldersIn } from '../../runtime/embedded/nodes/podman/folders.ts';
import { libpod } from '../../runtime/embedded/nodes/podman/libpod.ts';
import { createPodmanKubelet } from '../../runtime/embedded/nodes/podman/podmanKubelet.ts';
import { machineOf } from '../../runtime/embedded/nodes/podman/probe.ts';
import type { Pod } from '../../runtime/embedded/nodes/shapes.ts';
import { clusterOptions } from '../../runtime/local/clusterOptions.ts';
import { manualClock } from '../runtime/embedded/nodes/manualClock.ts';
import { memoryStore } from '../runtime/embedded/nodes/memoryStore.ts';
import { isChosen, isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { type Fault, type FakePodman, fakePodman } from './fakePodman.ts';

const spec = suite('faults in calls to podman');
const place = { bucket: '/pods', namespace: 'shop', name: 'web' };
const machine = {
  version: '4.3.1',
  hostname: 'machine',
  cpus: 4,
  memory: 2 ** 33,
  kernel: '6',
  os: 'linux',
  storage: '/',
};
const dead = 'the server is dead';
const main = { name: 'main', image: 'registry.local/web:1' };

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const web = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { initContainers: [{ ...main, name: 'first' }], containers: [main] },
};

/** Once a fault is over a node may take so many steps to come right. */
const mostSteps = 400;
const stepSeconds = 5;

/** The life of one pod with an init container: it runs, ends, is run again, and is deleted. */
async function life(prepare: (podman: FakePodman, crash: () => void) => void) {
  const dataDir = mkdtempSync(join(tmpdir(), 'core-podman-faults-'));
  const clock = manualClock();
  const store = memoryStore(clock.now);
  const podman = fakePodman(clock.now);
  const folders = foldersIn(dataDir);
  const start = () =>
    startNodes(store, {
      ...clusterOptions,
      log: () => {},
      mode: 'podman',
      clock,
      kubelet: (world) =>
        createPodmanKubelet(world, { podman: podman.open(), machine, folders, revive: async () => {} }),
    });
  let nodes: Nodes = start();
  let restarting: Promise<void> | null = null;

  /** The server dies: nothing that it does from now on reaches anybody. */
  function crash() {
    store.gate = () => {
      throw new Error(dead);
    };
    restarting = restart();
  }

  async function restart() {
    await nodes.stop();
    store.gate = () => {};
    nodes = start();
    restarting = null;
  }

  const rested = () => restarting ?? Promise.resolve();

  /** What somebody else writes reaches the store before the server dies, or after it. */
  async function written(write: () => Promise<unknown>): Promise<unknown> {
    await rested();
    return write().catch((why: unknown) => {
      if (String(why).includes(dead)) return written(write);
      throw why;
    });
  }

  const pod = () => store.get(place) as Pod | undefined;
  async function until(holds: () => boolean, what: string) {
    for (let step = 0; step < mostSteps; step += 1) {
      if (restarting === null && holds()) return;
      await clock.turn(stepSeconds);
      // The stream of events is opened again after a pause of the machine's own time.
      await new Promise((done) => setTimeout(done, 1));
    }
    assert.unreachable(`${what}: ${JSON.stringify(pod()?.status)}`);
  }
  const runs = () => podman.running().filter(({ labels }) => labels['io.kubernetes.container.name'] === 'main');
  const restarts = () => pod()?.status?.containerStatuses?.[0]?.restartCount ?? 0;
  const isUp = () => {
    const [run, ...more] = runs();
    const shown = pod()?.status?.containerStatuses?.[0];
    const isShown = shown !== undefined && 'running' in shown.state && shown.containerID === `podman://${run?.id}`;
    return more.length === 0 && isShown && pod()?.status?.phase === 'Running';
  };

  async function lived() {
    await written(() => store.create({ bucket: '/namespaces', namespace: '', name: 'shop' }, namespace));
    await written(() => store.create(place, web));
    const first = () => podman.running().find(({ labels }) => labels['io.kubernetes.container.name'] === 'first');
    const began = () => runs().length > 0;
    await until(() => {
      const found = first();
      if (found && !began()) podman.exit(found.id, 0);
      return isUp();
    }, 'the pod runs');
    const before = restarts();
    const [running] = runs();
    podman.exit(running?.id ?? '', 1);
    await until(() => isUp() && restarts() > before, 'it is run again, and counted');
    const deletionTimestamp = new Date(clock.now() + 30_000).toISOString();
    const going = { deletionTimestamp, deletionGracePeriodSeconds: 30 };
    await written(() => store.update(place, (old) => ({ ...old, metadata: { ...old.metadata, ...going } })));
    await until(() => pod() === undefined && podman.left() === 0, 'nothing of it is left');
    assert.ok(podman.wrongs().length === 0, podman.wrongs().join('; '));
    assert.equal(folders.pods(), []);
  }

  prepare(podman, crash);
  try {
    await lived();
    return { calls: podman.calls(), events: podman.events() };
  } finally {
    await rested();
    await nodes.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

spec('a pod runs from start to deletion with only known calls and events', async () => {
  const { calls, events } = await life(() => {});
  assert.ok(calls > 20 && events >= 6, `${calls} calls, ${events} events`);
});

const faults: readonly Fault[] = ['refused', 'away', 'lost', 'silent', 'late', 'crashBefore', 'crashAfter'];

spec('containers run once, none is lost and none is left, whichever call fails', async () => {
  const { calls } = await life(() => {});
  let played = 0;
  for (let call = 1; call <= calls; call += 1)
    for (const [index, fault] of faults.entries()) {
      if (!isWhole && !isChosen(call * faults.length + index, 17)) continue;
      played += 1;
      await life((podman, crash) => podman.plan(call, fault, crash)).catch((why: unknown) => {
        throw new Error(`${fault} at call ${call}: ${why instanceof Error ? why.message : String(why)}`);
      });
    }
  assert.ok(played >= calls / 3, `${played} lives`);
});

spec('objects are reloaded when a podman event is lost at the end of the stream', async () => {
  const { events } = await life(() => {});
  for (let event = 1; event <= events; event += 1)
    await life((podman) => podman.cutEventsAt(event)).catch((why: unknown) => {
      throw new Error(`cut at event ${event}: ${why instanceof Error ? why.message : String(why)}`);
    });
});

spec('a silent podman is abandoned after its timeout, and the start error names the remedy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'core-podman-silent-'));
  const path = join(folder, 's');
  const server = createServer((asked, response) => {
    if (asked.url?.includes('/events') === true) {
      response.flushHeaders();
      server.once('said', () => response.write('at last'));
    }
    if (asked.url?.includes('/half') === true) response.write('{');
  }).listen(path);
  const podman = libpod(path);
  const silentMs = 50;
  try {
    const said = async (asked: Promise<unknown>) => String(await asked.catch((why: unknown) => why));
    const silent = podman.call({ method: 'POST', path: '/containers/one/start', silentMs });
    assert.is(await said(silent), `PodmanError: podman does not answer at ${path}: it says nothing for 0.05 seconds`);
    const half = podman.call({ method: 'POST', path: '/half', silentMs });
    assert.match(await said(half), `podman does not answer at ${path}`);
    const start = machineOf(podman, silentMs);
    assert.match(await said(start), /^BadData: .* says nothing for 0\.05 seconds; restart podman's service$/);
    // A stream that began says something when there is something to say.
    const events = await podman.stream({ method: 'GET', path: '/events', silentMs });
    const [first] = await Promise.all([once(events, 'data'), pause(4 * silentMs).then(() => server.emit('said'))]);
    assert.is(String(first), 'at last');
  } finally {
    podman.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

spec.run();
