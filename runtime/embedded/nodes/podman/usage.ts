import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { NodeUsed, PodUsage, PodUsed, Used } from '../../api/podUsage.ts';
import { at, listAt, textAt } from '../../api/json.ts';
import { type Labels, type Reading, type UsageRing, createUsageRing, metric, readEveryMs } from '../usage/usageRing.ts';
import type { PodmanWorld } from './world.ts';

/** What the containers of this node and the machine use, read every ten seconds. */
export interface NodeUsage {
  readonly usage: PodUsage;
  readonly ring: UsageRing;
  readonly start: () => void;
  readonly stop: () => void;
}

interface Run {
  readonly uid: string;
  readonly name: string;
  /** Seconds of a processor so far, and bytes. */
  readonly used: Used;
  readonly received: number;
  readonly sent: number;
  readonly pod: Labels;
}

/** All that was read at one time. */
interface Round {
  readonly at: number;
  readonly machine: Used;
  readonly runs: ReadonlyMap<string, Run>;
}

type World = Pick<PodmanWorld, 'podman' | 'cache' | 'clock' | 'log'> & { readonly node: string };

export function createNodeUsage({ podman, cache, clock, log, node }: World): NodeUsage {
  const ring = createUsageRing();
  const rounds: Round[] = [];
  let failures = 0;
  let stopped = false;
  let cancel = () => {};

  async function readRuns(): Promise<ReadonlyMap<string, Run>> {
    const running = new Map(
      cache.all().flatMap(({ uid, namespace, name: pod, containers }) =>
        containers
          // A program of the node is part of this process.
          .filter(({ state, pid }) => state === 'running' && pid > 0)
          .map(({ id, name }) => [id, { uid, name, pod: { namespace, pod } }] as const),
      ),
    );
    if (running.size === 0) return new Map();
    const path = `/containers/stats?stream=false&${[...running.keys()].map((id) => `containers=${id}`).join('&')}`;
    const stats = listAt(await podman.call({ method: 'GET', path }), 'Stats');
    return new Map(
      stats.flatMap((one) => {
        const id = textAt(one, 'ContainerID');
        const known = running.get(id);
        if (!known) return [];
        const number = (field: string) => Number(at(one, field) ?? 0);
        const used = { cpu: number('CPUNano') / 1e9, memory: number('MemUsage') };
        return [[id, { ...known, used, received: number('NetInput'), sent: number('NetOutput') }] as const];
      }),
    );
  }

  async function read() {
    // A container that ended in this very moment fails the whole reading; the next one is without it.
    const runs = await readRuns();
    const round = { at: clock.now(), machine: machineUse(), runs };
    rounds.push(round);
    if (rounds.length > 2) rounds.shift();
    ring.record(round.at, readingsOf(round));
  }

  function next() {
    const now = clock.now();
    const due = (Math.floor(now / readEveryMs) + 1) * readEveryMs;
    cancel = clock.at(due, () => void turn());
  }

  async function turn() {
    try {
      await read();
      failures = 0;
    } catch (why) {
      failures += 1;
      if (failures === 3) log('warn', 'podman does not tell what containers use', { why: String(why) });
    }
    if (!stopped) next();
  }

  /** The use between the last two readings. */
  function lately<U>(make: (before: Round, now: Round, seconds: number) => U): U | null {
    const [before, now] = rounds;
    return before && now ? make(before, now, Math.max(1, Math.round((now.at - before.at) / 1_000))) : null;
  }

  const usage: PodUsage = {
    pods: () => lately(podsUsed) ?? [],
    nodes: () =>
      lately((before, now, seconds): readonly NodeUsed[] => [
        { name: node, at: now.at, seconds, ...between(before.machine, now.machine, now.at - before.at) },
      ]) ?? [],
  };

  return {
    usage,
    ring,
    start: () => void turn(),
    stop() {
      stopped = true;
      cancel();
    },
  };
}

const between = (before: Used, now: Used, ms: number): Used => ({
  cpu: Math.max(0, now.cpu - before.cpu) / (ms / 1_000),
  memory: now.memory,
});

function podsUsed(before: Round, now: Round, seconds: number): readonly PodUsed[] {
  const byPod = new Map<string, Record<string, Used>>();
  for (const [id, { uid, name, used }] of now.runs) {
    const old = before.runs.get(id);
    if (!old) continue;
    const containers = byPod.get(uid) ?? {};
    byPod.set(uid, containers);
    containers[name] = between(old.used, used, now.at - before.at);
  }
  return [...byPod].map(([uid, containers]) => ({ uid, at: now.at, seconds, containers }));
}

/** The network is that of the whole pod, and every container of it tells the same. */
function readingsOf({ machine, runs }: Round): readonly Reading[] {
  const readings: Reading[] = [];
  const add = (id: string, name: string, labels: Labels, value: number) =>
    void readings.push({ id: `${id} ${name}`, metric: name, labels, value });
  for (const [id, { uid, name, pod, used, received, sent }] of runs) {
    const labels = { ...pod, container: name };
    add(id, metric.cpu, labels, used.cpu);
    add(id, metric.memory, labels, used.memory);
    add(uid, metric.received, pod, received);
    add(uid, metric.sent, pod, sent);
  }
  add('/', metric.cpu, { id: '/' }, machine.cpu);
  add('/', metric.memory, { id: '/' }, machine.memory);
  return readings;
}

/** Of the machine: the seconds in which its processors worked, and the memory that nobody else could have. */
function machineUse(): Used {
  const busyMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  const [, available] = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
  return { cpu: busyMs / 1_000, memory: totalmem() - Number(available ?? 0) * 1_024 };
}
