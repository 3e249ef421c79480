import { isDeepStrictEqual } from 'node:util';
import { numberAt } from '../../api/json.ts';
import { stamp } from '../clock.ts';
import { recordBackOff, recordKilling, recordUnmounted } from '../podEvents.ts';
import { unmounted, unset } from '../podSources.ts';
import { askedToEndAt, preStopMs } from '../preStop.ts';
import { samePod } from '../samePod.ts';
import { type Container, type Pod, bucket, isOver, placeOf, withCondition } from '../shapes.ts';
import { programPrefix } from './cache.ts';
import { ensureClaims } from './claims.ts';
import { type Image } from './images.ts';
import { isAway, unlessAbsent } from './libpod.ts';
import { type Mount, madeAsAsked, mountsOf } from './mounts.ts';
import { type ProgramRuns } from './programRuns.ts';
import { type Overstay, nextOverstay, overstayOf } from './overstays.ts';
import { type Ending, type Memory, newMemory } from './podMemory.ts';
import type { Probes } from './probes.ts';
import { refusalOf } from './refusals.ts';
import { withRoom } from './room.ts';
import { ensureSandbox, removeSandbox } from './sandbox.ts';
import { type SeenContainer, type SeenPod } from './seen.ts';
import { makeContainer, messageIn, rootRefusal } from './starter.ts';
import { type Held, startError, statusOf } from './status.ts';
import { type Start, endedSteps, stepsOf, withTold } from './steps.ts';
import type { PodmanWorld } from './world.ts';

interface World extends PodmanWorld {
  readonly hostIp: () => string;
  readonly programRuns: ProgramRuns;
  readonly probes: Probes;
}

const againMs = 10_000;
/** After this long podman does not learn of an end any more: what watched over the container ended with it. */
const unwatchedMs = 5_000;

/** One look of a kubelet at a pod that podman runs. */
export function createPodRuns(world: World) {
  const { store, marks, clock, events, podman, cache, folders, images, programs, programRuns, probes, network } = world;
  const memories = new Map<string, Memory>();
  const references = new Map<string, string>();

  function memoryOf(uid: string): Memory {
    const memory = memories.get(uid) ?? newMemory();
    memories.set(uid, memory);
    return memory;
  }

  const placed = (pod: Pod): Pod => {
    const scheduled = { type: 'PodScheduled', status: 'True' } as const;
    const conditions = withCondition(pod.status?.conditions, scheduled, stamp(clock.now()));
    const annotations = { ...pod.metadata.annotations, [marks.podmanRun]: folders.id };
    return {
      ...pod,
      metadata: { ...pod.metadata, annotations },
      status: { ...pod.status, phase: pod.status?.phase ?? 'Pending', conditions },
    };
  };

  /** What is there of a pod: what podman shows, with what could not be started and what only the status tells. */
  function seenOf(pod: Pod): SeenPod {
    const { uid, namespace = '', name } = pod.metadata;
    const { unstarted } = memoryOf(uid);
    const seen = cache.of(uid) ?? { uid, namespace, name, sandbox: null, containers: [] };
    const hasHome = seen.sandbox?.running === true;
    const containers = seen.containers.map((one): SeenContainer => {
      const failed = one.state === 'created' ? unstarted.get(one.id) : undefined;
      const isGone = one.state === 'exited' && !hasHome && !one.id.startsWith(programPrefix);
      if (!failed) return isGone ? { ...one, isGone } : one;
      const error = `${startError}: ${failed.why}`;
      return { ...one, state: 'exited', startedAt: failed.at, finishedAt: failed.at, exitCode: 128, error };
    });
    return withTold(pod, { ...seen, containers }, clock.now());
  }

  async function look(key: string, pod: Pod): Promise<number | null> {
    if (pod.metadata.annotations?.[marks.podmanRun] === undefined) {
      await store.update(placeOf(bucket.pods, pod), samePod(pod, placed));
      return clock.now();
    }
    const refusal = refusalOf(pod);
    if (refusal !== null) return refused(pod, refusal);
    const missing = unmounted(store, pod);
    if (missing !== null) {
      world.lacking.add(key);
      recordUnmounted(events, pod, missing);
      await tell(pod);
      return null;
    }
    const { overstay } = memoryOf(pod.metadata.uid);
    const why = overstay?.why ?? (await overstayOf({ ...world, now: clock.now }, pod));
    return why === null ? goOn(key, pod) : fail(pod, why);
  }

  /** Ends a pod that may not run any longer: what runs is asked to end and killed after the grace, then the pod has failed. */
  async function fail(pod: Pod, why: Overstay): Promise<number | null> {
    const { uid } = pod.metadata;
    const memory = memoryOf(uid);
    const seconds = why.reason === 'Evicted' ? 1 : numberAt(pod.spec, 'terminationGracePeriodSeconds');
    if (memory.overstay === null)
      events.record('kubelet', pod, { type: 'Warning', ...why, host: pod.spec?.nodeName ?? '' });
    const now = clock.now();
    memory.overstay ??= { why, askedAt: now, deadline: now + seconds * 1_000 };
    probes.drop(uid);
    const running = runningOf(uid);
    if (running.length > 0) return askToEnd(pod, running, memory.overstay);
    await tidy(await tell(pod, seenOf(pod), why));
    return null;
  }

  /** Starts what is to be started, and tells how the pod stands. */
  async function goOn(key: string, pod: Pod): Promise<number | null> {
    const seen = seenOf(pod);
    const { starts } = stepsOf(pod, seen, clock.now());
    // What ran in a sandbox that is no more is told before it is removed.
    if (starts.length > 0 && seen.sandbox?.running === false) await tell(pod);
    const waits: number[] = [];
    for (const start of starts) {
      const again = await begin(key, pod, start);
      if (again !== null) waits.push(again);
    }
    const after = await tell(pod);
    if (isOver(after)) {
      await tidy(after);
      return null;
    }
    world.volumes.renew(after);
    probes.tend(after, seenOf(after));
    const due = stepsOf(after, seenOf(after), clock.now());
    waits.push(...[...due.backingOff.values()].map(({ until }) => until));
    const next = nextOverstay(after, clock.now());
    if (next !== null) waits.push(next);
    // What was started may have made way for the next: an init container that is over already.
    const isNext = due.starts.some(
      ({ container, run }) => !starts.some((one) => one.container === container && one.run === run),
    );
    if (isNext) return clock.now();
    return waits.length === 0 ? null : Math.min(...waits);
  }

  /** Starts one run of a container; returns when to try again where it cannot be. */
  async function begin(key: string, pod: Pod, start: Start): Promise<number | null> {
    const { container } = start;
    const { held } = memoryOf(pod.metadata.uid);
    const hold = (reason: string, message: string, until: number | null) => {
      const before = held.get(container.name);
      held.set(container.name, { reason, message });
      if (before?.message !== message) tellHeld(pod, container, { reason, message });
      return until;
    };
    const lacks = unset(store, pod, container);
    if (lacks !== null) {
      world.lacking.add(key);
      return hold('CreateContainerConfigError', lacks, null);
    }
    try {
      world.volumes.make(pod);
      const program = programs.get(container.image ?? '');
      if (program) {
        programRuns.start(pod, start, program);
        held.delete(container.name);
        tellOf(pod, container, 'Started', 'Container started');
        return null;
      }
      const image = await images.see(key, pod, container);
      if (image.is === 'coming') {
        if (!held.has(container.name)) tellOf(pod, container, 'Pulling', `Pulling image "${container.image ?? ''}"`);
        return null;
      }
      if (image.is === 'refused') return hold(image.reason, image.message, image.until);
      references.set(image.image.id, image.image.reference);
      const root = rootRefusal(pod, container, image.image);
      if (root !== null) return hold('CreateContainerConfigError', root, null);
      tellPulled(pod, container, image.image, image.pulledMs);
      await run(pod, start, image.image);
      held.delete(container.name);
      return null;
    } catch (why) {
      const words = withRoom(why instanceof Error ? why.message : String(why), world.storage);
      return hold('CreateContainerError', words, clock.now() + againMs);
    }
  }

  async function run(pod: Pod, start: Start, image: Image) {
    const { uid } = pod.metadata;
    const sandbox = await ensureSandbox(world, pod);
    await ensureClaims(world, pod);
    const mounts = await mountsOf(world, pod, start.container);
    const isMade = start.made !== null && cache.of(uid)?.containers.some(({ id }) => id === start.made?.id) === true;
    const id =
      isMade && start.made
        ? start.made.id
        : await makeContainer(world, pod, start, { sandbox, image, mounts, hostIp: world.hostIp() });
    tellOf(pod, start.container, 'Created', 'Container created');
    const unheard = await started(pod, start.container, id, mounts);
    await cache.refreshContainer(uid, id);
    if (unheard === null) return;
    if (cache.of(uid)?.containers.some((one) => one.id === id && one.state === 'created')) throw unheard;
    tellOf(pod, start.container, 'Started', 'Container started');
  }

  /** Starts a container; returns why it is not known whether it was, for then the same one is to be started again. */
  async function started(pod: Pod, container: Container, id: string, mounts: readonly Mount[]): Promise<unknown> {
    try {
      await madeAsAsked(world, id, mounts);
      await podman.call({ method: 'POST', path: `/containers/${id}/start` });
    } catch (why) {
      if (isAway(why)) return why;
      const words = why instanceof Error ? why.message : String(why);
      memoryOf(pod.metadata.uid).unstarted.set(id, { at: clock.now(), why: words });
      tellOf(pod, container, 'Failed', `Error: ${words}`);
      return null;
    }
    tellOf(pod, container, 'Started', 'Container started');
    return null;
  }

  function tellPulled(pod: Pod, container: Container, { bytes }: Image, pulledMs: number | null) {
    const { image = '' } = container;
    const message =
      pulledMs === null
        ? `Container image "${image}" already present on machine and can be accessed by the pod`
        : `Successfully pulled image "${image}" in ${pulledMs}ms (${pulledMs}ms including waiting). Image size: ${bytes} bytes.`;
    tellOf(pod, container, 'Pulled', message);
  }

  function tellHeld(pod: Pod, container: Container, { reason, message }: Held) {
    const isMisnamed = reason === 'InvalidImageName';
    if (isMisnamed) tellOf(pod, container, 'InspectFailed', message);
    tellOf(pod, container, 'Failed', `Error: ${isMisnamed ? reason : message}`);
  }

  const tellOf = (pod: Pod, { name }: Container, reason: string, message: string) => {
    const type = reason.endsWith('Failed') ? 'Warning' : 'Normal';
    const isInit = pod.spec?.initContainers?.some((one) => one.name === name) === true;
    const fieldPath = `spec.${isInit ? 'initContainers' : 'containers'}{${name}}`;
    events.record('kubelet', pod, { type, reason, message, fieldPath, host: pod.spec?.nodeName ?? '' });
  };

  /** Writes the status that a pod has by now, or the last one that it ever has. */
  async function tell(pod: Pod, last?: SeenPod, why?: Overstay): Promise<Pod> {
    const { uid } = pod.metadata;
    const { held } = memoryOf(uid);
    const now = clock.now();
    const next = (old: Pod): Pod => {
      const seen = last ?? seenOf(old);
      const told = statusOf(old, seen, last ? endedSteps(old, seen, now) : stepsOf(old, seen, now), {
        now,
        hostIp: world.hostIp(),
        held,
        probed: (one) => probes.verdictOf(old, one),
        imageOf: (id) => references.get(id) ?? id,
        messageOf,
      });
      const status = why ? { ...told, phase: 'Failed', ...why } : told;
      return isDeepStrictEqual(old.status, status) ? old : { ...old, status };
    };
    const messageOf = (container: Container, { run, error, exitCode }: SeenContainer) => {
      if (error.startsWith(startError)) return error.slice(startError.length + 2);
      const left = messageIn(folders.messageOf(uid, container.name, run));
      const wantsLog = container.terminationMessagePolicy === 'FallbackToLogsOnError';
      if (left !== '' || exitCode === 0 || !wantsLog) return left;
      return programRuns.lastLines(folders.logOf(uid, container.name, run));
    };
    const found = store.get(placeOf(bucket.pods, pod)) as Pod | undefined;
    if (found?.metadata.uid !== uid || isOver(found) || next(found) === found) return found ?? pod;
    const after = (await store.update(placeOf(bucket.pods, pod), samePod(pod, next))) as Pod;
    recordBackOff(events, found, after);
    return after;
  }

  async function refused(pod: Pod, message: string): Promise<null> {
    const { held } = memoryOf(pod.metadata.uid);
    const all = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])];
    const isNew = held.size === 0;
    for (const { name } of all) held.set(name, { reason: 'CreateContainerConfigError', message });
    if (isNew)
      events.record('kubelet', pod, { type: 'Warning', reason: 'Failed', message, host: pod.spec?.nodeName ?? '' });
    await tell(pod);
    return null;
  }

  /** What a pod that came to its end needs no more; its logs stay until it is deleted. */
  async function tidy(pod: Pod) {
    const { uid } = pod.metadata;
    probes.drop(uid);
    const sandbox = cache.of(uid)?.sandbox;
    if (sandbox) await removeSandbox(world, uid, sandbox.id);
    memories.delete(uid);
  }

  /** Asks what runs to end, kills it after the grace, and lets the pod go once nothing runs. */
  async function end(pod: Pod): Promise<number | null> {
    const { uid, deletionTimestamp = '' } = pod.metadata;
    const running = runningOf(uid);
    probes.drop(uid);
    if (running.length > 0 && !isOver(pod)) {
      if (!memoryOf(uid).isEnding) await network.left(pod);
      return askToEnd(pod, running, { askedAt: askedToEndAt(pod) ?? 0, deadline: Date.parse(deletionTimestamp) });
    }
    const last = seenOf(pod);
    // With its last status the pod goes; until then its name and its address are its own.
    await removeContainers(uid);
    await tell(pod, { ...last, sandbox: null });
    forget(uid);
    const left = store.get(placeOf(bucket.pods, pod));
    if (left?.metadata.uid === uid && (left.metadata.finalizers ?? []).length === 0)
      await store.remove(placeOf(bucket.pods, pod), { uid });
    return null;
  }

  const runningOf = (uid: string) => (cache.of(uid)?.containers ?? []).filter(({ state }) => state === 'running');

  /** Asks what runs to end, once, after its preStop, and kills it after its time; returns when to look again. */
  async function askToEnd(pod: Pod, running: readonly SeenContainer[], { askedAt, deadline }: Ending): Promise<number> {
    const memory = memoryOf(pod.metadata.uid);
    const now = clock.now();
    const lateMs = now - deadline;
    if (!memory.isEnding) recordKilling(events, pod);
    memory.isEnding = true;
    let again = lateMs < 0 ? deadline : now + 1_000;
    for (const one of running) {
      if (lateMs < 0 && memory.asked.has(one.id)) continue;
      const due = askedAt + preStopMs(pod, one.name);
      if (lateMs < 0 && now < due) {
        again = Math.min(again, due);
        continue;
      }
      memory.asked.add(one.id);
      await stopOne(one, lateMs);
    }
    await tell(pod);
    return again;
  }

  async function stopOne(one: SeenContainer, lateMs: number) {
    if (programRuns.stop(one.id)) return;
    if (lateMs >= unwatchedMs) return void (await removeContainer(one.id));
    const query = { signal: lateMs >= 0 ? 'SIGKILL' : one.stopSignal };
    // What ended in this very moment needs no signal.
    await unlessAbsent(
      podman.call({ method: 'POST', path: `/containers/${one.id}/kill`, query }).catch((why: unknown) => {
        if (/not running|state improper|can only kill running/i.test(String(why))) return null;
        throw why;
      }),
    );
  }

  async function removeContainers(uid: string) {
    const sandbox = cache.of(uid)?.sandbox;
    if (sandbox) await removeSandbox(world, uid, sandbox.id);
    for (const one of cache.of(uid)?.containers ?? []) if (!programRuns.stop(one.id)) await removeContainer(one.id);
  }

  const removeContainer = (id: string) =>
    unlessAbsent(
      podman.call({
        method: 'DELETE',
        path: `/containers/${id}`,
        query: { force: 'true', timeout: '0', volumes: 'true' },
      }),
    );

  function forget(uid: string) {
    cache.forgetPod(uid);
    memories.delete(uid);
    folders.remove(uid);
  }

  /** Removes all that is left of a pod. */
  async function remove(uid: string) {
    await removeContainers(uid);
    forget(uid);
  }

  return { look, end, placed, remove, tidy };
}
