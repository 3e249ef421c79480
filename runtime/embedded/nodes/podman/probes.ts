import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { at, listAt, numberAt, textAt } from '../../api/json.ts';
import { statusesOf } from '../podStatus.ts';
import { type Container, type Pod, keyOf } from '../shapes.ts';
import { execIn } from './exec.ts';
import { type Outcome, httpOutcome } from './httpProbe.ts';
import { type SeenContainer, type SeenPod, newestOf } from './seen.ts';
import { containerIdOf } from './status.ts';
import type { PodmanWorld } from './world.ts';

interface Verdict {
  readonly started: boolean;
  readonly ready: boolean;
}

/** The probes of the containers that run. */
export interface Probes {
  /** Begins the probes of what runs and nobody probes yet. */
  readonly tend: (pod: Pod, seen: SeenPod) => void;
  readonly verdictOf: (pod: Pod, run: SeenContainer) => Verdict;
  readonly drop: (uid: string) => void;
  readonly stop: () => void;
}

const sorts = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;
type Sort = (typeof sorts)[number];

interface Probed {
  started: boolean;
  ready: boolean;
  readonly gone: AbortController;
}

export function createProbes(
  world: PodmanWorld,
  killOne: (run: SeenContainer, pod: Pod, graceSeconds: number | undefined) => Promise<void>,
): Probes {
  const { clock, events } = world;
  const byPod = new Map<string, Map<string, Probed>>();

  function verdictOf(pod: Pod, run: SeenContainer): Verdict {
    const known = byPod.get(pod.metadata.uid)?.get(run.id);
    if (known) return known;
    const container = containerNamed(pod, run.name);
    const has = (sort: Sort) => at(container, sort) !== undefined;
    // A server that starts anew takes over what the last one knew of a container that runs on.
    const told = statusesOf(pod.status).find(({ containerID }) => containerID === containerIdOf(run));
    if (told && 'running' in told.state) return { started: told.started, ready: told.ready };
    return { started: !has('startupProbe'), ready: !has('startupProbe') && !has('readinessProbe') };
  }

  function tend(pod: Pod, seen: SeenPod) {
    const { uid } = pod.metadata;
    const known = byPod.get(uid) ?? new Map<string, Probed>();
    const running = (pod.spec?.containers ?? []).flatMap((container) => {
      const run = newestOf(seen, container.name);
      return run?.state === 'running' ? [{ container, run }] : [];
    });
    for (const [id, { gone }] of known)
      if (!running.some(({ run }) => run.id === id)) {
        gone.abort();
        known.delete(id);
      }
    for (const { container, run } of running) {
      if (known.has(run.id) || !sorts.some((sort) => at(container, sort) !== undefined)) continue;
      const probed: Probed = { ...verdictOf(pod, run), gone: new AbortController() };
      known.set(run.id, probed);
      byPod.set(uid, known);
      for (const sort of sorts)
        if (at(container, sort) !== undefined)
          void repeat({ pod, container, run, sort, probed, address: seen.sandbox?.address ?? '' });
    }
  }

  interface Repeated {
    readonly pod: Pod;
    readonly container: Container;
    readonly run: SeenContainer;
    readonly sort: Sort;
    readonly probed: Probed;
    readonly address: string;
  }

  async function repeat(asked: Repeated): Promise<void> {
    const { container, run, sort, probed, address } = asked;
    const { signal } = probed.gone;
    const probe = at(container, sort);
    const periodMs = (numberAt(probe, 'periodSeconds') || 10) * 1_000;
    const timeoutMs = (numberAt(probe, 'timeoutSeconds') || 1) * 1_000;
    const needed = { good: numberAt(probe, 'successThreshold') || 1, bad: numberAt(probe, 'failureThreshold') || 3 };
    let [good, bad] = [0, 0];
    await pause(Math.max(0, run.startedAt + numberAt(probe, 'initialDelaySeconds') * 1_000 - clock.now()), signal);
    while (!signal.aborted) {
      const began = clock.now();
      if (sort === 'startupProbe' || probed.started) {
        const { fault, warning } = await outcomeOf(world, { container, run, probe, address, timeoutMs, signal });
        if (signal.aborted) return;
        [good, bad] = fault === null ? [good + 1, 0] : [0, bad + 1];
        if (fault !== null) tell(asked, 'Unhealthy', `failed: ${fault}`);
        if (warning !== null) tell(asked, 'ProbeWarning', `warning: ${warning}`);
        if (await judged(asked, { isGood: good >= needed.good, isBad: bad >= needed.bad })) return;
      }
      await pause(Math.max(0, periodMs - (clock.now() - began)), signal);
    }
  }

  /** Does what follows of enough answers of one sort; returns whether the probe is over. */
  async function judged(
    asked: Repeated,
    { isGood, isBad }: { readonly isGood: boolean; readonly isBad: boolean },
  ): Promise<boolean> {
    const { pod, sort, probed, container } = asked;
    const before = { ...probed };
    if (sort === 'readinessProbe' && (isGood || isBad)) probed.ready = isGood;
    if (sort === 'startupProbe' && isGood) {
      probed.started = true;
      if (at(container, 'readinessProbe') === undefined) probed.ready = true;
    }
    if (before.ready !== probed.ready || before.started !== probed.started) world.ask(keyOf(pod));
    if (!isBad || sort === 'readinessProbe') return sort === 'startupProbe' && isGood;
    await restart(asked);
    return true;
  }

  async function restart({ pod, run, sort, probed, container }: Repeated): Promise<void> {
    const what = sort === 'livenessProbe' ? 'liveness' : 'startup';
    const message = `Container ${run.name} failed ${what} probe, will be restarted`;
    events.record('kubelet', pod, { type: 'Normal', reason: 'Killing', message, host: pod.spec?.nodeName ?? '' });
    probed.gone.abort();
    const grace = at(container, sort, 'terminationGracePeriodSeconds');
    await killOne(run, pod, typeof grace === 'number' ? grace : undefined).catch(() => {});
  }

  function tell({ pod, container, sort }: Repeated, reason: 'Unhealthy' | 'ProbeWarning', words: string) {
    const what = { startupProbe: 'Startup', readinessProbe: 'Readiness', livenessProbe: 'Liveness' }[sort];
    const fieldPath = `spec.containers{${container.name}}`;
    const message = `${what} probe ${words}`;
    events.record('kubelet', pod, {
      type: 'Warning',
      reason,
      message,
      fieldPath,
      host: pod.spec?.nodeName ?? '',
    });
  }

  function drop(uid: string) {
    for (const { gone } of byPod.get(uid)?.values() ?? []) gone.abort();
    byPod.delete(uid);
  }

  return { tend, verdictOf, drop, stop: () => [...byPod.keys()].forEach(drop) };
}

const containerNamed = ({ spec }: Pod, name: string) =>
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].find((one) => one.name === name);

const pause = (ms: number, gone: AbortSignal) =>
  new Promise<void>((done) => {
    if (gone.aborted) return done();
    const over = () => {
      clearTimeout(timer);
      gone.removeEventListener('abort', over);
      done();
    };
    const timer = setTimeout(over, ms);
    gone.addEventListener('abort', over);
  });

interface Probing {
  readonly container: Container;
  readonly run: SeenContainer;
  readonly probe: unknown;
  readonly address: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function outcomeOf(world: PodmanWorld, asked: Probing): Promise<Outcome> {
  const { probe, timeoutMs, signal } = asked;
  const gone = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    if (at(probe, 'httpGet') !== undefined) return await httpOutcome(httpGetOf(asked, gone));
    const isCommand = at(probe, 'exec') !== undefined;
    return { fault: await (isCommand ? execFault(world, asked, gone) : tcpFault(asked, gone)), warning: null };
  } catch (why) {
    return { fault: why instanceof Error ? why.message : String(why), warning: null };
  }
}

const longestOutput = 10_240;

async function execFault({ podman }: PodmanWorld, { run, probe, timeoutMs }: Probing, gone: AbortSignal) {
  const said: Buffer[] = [];
  const out = new PassThrough();
  out.on('data', (chunk: Buffer) => said.push(chunk));
  const command = listAt(probe, 'exec', 'command').filter((word) => typeof word === 'string');
  const stdio = { stdin: null, stdout: out, stderr: out, tty: false, size: () => null, onResize: () => {}, gone };
  const exit = await execIn(podman, run.id, { command, stdio });
  if (gone.aborted) return `command timed out after ${timeoutMs / 1_000}s`;
  if (exit.is === 'failed') return exit.why;
  return exit.code === 0 ? null : Buffer.concat(said).toString('utf8').slice(0, longestOutput);
}

/** A port by its number, or by the name that the container gives one. */
function portOf({ container, probe }: Probing, sort: 'httpGet' | 'tcpSocket'): number {
  const port = at(probe, sort, 'port');
  const named = (container.ports ?? []).find(({ name }) => name !== undefined && name === port)?.containerPort;
  return named ?? Number(port);
}

function httpGetOf(asked: Probing, signal: AbortSignal) {
  const { probe, address } = asked;
  const headers = Object.fromEntries(
    listAt(probe, 'httpGet', 'httpHeaders').map((one) => [textAt(one, 'name'), textAt(one, 'value')]),
  );
  const scheme = textAt(probe, 'httpGet', 'scheme') === 'HTTPS' ? 'https' : 'http';
  const host = textAt(probe, 'httpGet', 'host') || address;
  const path = textAt(probe, 'httpGet', 'path').replace(/^(?!\/)/, '/');
  const url = new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${portOf(asked, 'httpGet')}${path}`);
  return { url, headers: { 'User-Agent': 'kube-probe/1.36', Accept: '*/*', ...headers }, signal };
}

function tcpFault(asked: Probing, gone: AbortSignal): Promise<string | null> {
  const { probe, address } = asked;
  const host = textAt(probe, 'tcpSocket', 'host') || address;
  return new Promise((done, fail) => {
    const connection = connect({ host, port: portOf(asked, 'tcpSocket'), signal: gone }, () => {
      connection.destroy();
      done(null);
    });
    connection.on('error', fail);
  });
}
