import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { at, textAt } from '../../runtime/embedded/api/json.ts';
import { type Asked, type Libpod, PodmanError } from '../../runtime/embedded/nodes/podman/libpod.ts';

type Labels = Readonly<Record<string, string>>;

interface FakePod {
  readonly id: string;
  readonly name: string;
  readonly labels: Labels;
  running: boolean;
}

interface FakeContainer {
  readonly id: string;
  readonly name: string;
  readonly pod: string;
  readonly labels: Labels;
  status: 'created' | 'running' | 'exited';
  startedAt: number;
  finishedAt: number;
  exitCode: number;
}

/**
 * What goes wrong with a call: nothing was done and podman says so, or nobody answers; or all was done, and nobody hears of it.
 * `silent`: it is accepted and never answered. `late`: the same, and once it was given up and asked again, podman does it.
 */
export type Fault = 'refused' | 'away' | 'lost' | 'silent' | 'late' | 'crashBefore' | 'crashAfter';

/** A podman in this process, whose containers do nothing but be there. */
export interface FakePodman {
  /** Its API for one life of a server. */
  readonly open: () => Libpod;
  /** Lets one call go wrong, counted from the first one ever; `crash` is called where the server is to die of it. */
  readonly plan: (call: number, fault: Fault, crash: () => void) => void;
  /** Ends the stream of events instead of telling this one, counted from the first one ever. */
  readonly cutEventsAt: (event: number) => void;
  readonly calls: () => number;
  readonly events: () => number;
  readonly running: () => readonly { readonly id: string; readonly labels: Labels }[];
  /** All pods and containers, whatever they do. */
  readonly left: () => number;
  readonly exit: (id: string, code: number) => void;
  /** What must never happen, and did. */
  readonly wrongs: () => readonly string[];
}

const containerLabel = 'io.kubernetes.container.name';
const uidLabel = 'io.kubernetes.pod.uid';
const absent = (what: string) => new PodmanError('absent', `no such ${what}`);
const never = new Promise<never>(() => {});
/** As long as a silent podman is waited for. */
const silentMs = 120_000;

export function fakePodman(now: () => number): FakePodman {
  const pods = new Map<string, FakePod>();
  const containers = new Map<string, FakeContainer>();
  const networks: { readonly name: string; readonly subnets: unknown; readonly labels: Labels }[] = [];
  const streams = new Set<PassThrough>();
  const wrongs: string[] = [];
  let [ids, calls, events, cutAt] = [0, 0, 0, -1];
  let overdue: Asked | null = null;
  let planned: { readonly call: number; readonly fault: Fault; readonly crash: () => void } | null = null;

  const nextId = () => `id${++ids}`;

  function emit({ id, labels }: FakeContainer, action: string) {
    events += 1;
    const line = `${JSON.stringify({ Action: action, Actor: { ID: id, Attributes: labels } })}\n`;
    for (const stream of streams)
      if (events === cutAt) stream.end();
      else stream.write(line);
  }

  function exit(id: string, code: number) {
    const found = containers.get(id);
    if (found?.status !== 'running') return;
    Object.assign(found, { status: 'exited', exitCode: code, finishedAt: now() });
    emit(found, 'died');
  }

  function start(id: string) {
    const found = containers.get(id);
    if (!found) throw absent('container');
    if (found.status === 'running') return;
    const isSame = (one: FakeContainer) =>
      one.labels[uidLabel] === found.labels[uidLabel] && one.labels[containerLabel] === found.labels[containerLabel];
    if ([...containers.values()].some((one) => one.status === 'running' && isSame(one)))
      wrongs.push(`${found.name} runs twice`);
    if (pods.get(found.pod)?.running !== true) throw new PodmanError('refused', 'its pod does not run');
    if (found.status === 'exited') wrongs.push(`${found.name} is started again after its end`);
    Object.assign(found, { status: 'running', startedAt: now() });
    emit(found, 'start');
  }

  function removeContainer(id: string) {
    const found = containers.get(id);
    if (!found) throw absent('container');
    exit(id, 137);
    containers.delete(id);
    emit(found, 'remove');
  }

  function removePod(idOrName: string) {
    const found = [...pods.values()].find(({ id, name }) => id === idOrName || name === idOrName);
    if (!found) throw absent('pod');
    for (const one of containers.values()) if (one.pod === found.id) removeContainer(one.id);
    pods.delete(found.id);
  }

  const isTaken = (name: string) => [...pods.values(), ...containers.values()].some((one) => one.name === name);

  function createPod(body: unknown) {
    const name = textAt(body, 'name');
    if (isTaken(name)) throw new PodmanError('conflict', `the name ${name} is in use`);
    const id = nextId();
    pods.set(id, { id, name, labels: at(body, 'labels') as Labels, running: false });
    return { Id: id };
  }

  function createContainer(body: unknown) {
    const [name, pod] = [textAt(body, 'name'), textAt(body, 'pod')];
    if (isTaken(name)) throw new PodmanError('conflict', `the name ${name} is in use`);
    if (!pods.has(pod)) throw absent('pod');
    const id = nextId();
    const times = { startedAt: 0, finishedAt: 0, exitCode: 0 };
    containers.set(id, { id, name, pod, labels: at(body, 'labels') as Labels, status: 'created', ...times });
    return { Id: id };
  }

  const timeOf = (ms: number) => (ms === 0 ? '0001-01-01T00:00:00Z' : new Date(ms).toISOString());

  function inspectContainer(id: string) {
    const found = containers.get(id) ?? [...containers.values()].find(({ name }) => name === id);
    if (!found) throw absent('container');
    const { labels, status, startedAt, finishedAt, exitCode } = found;
    const times = { StartedAt: timeOf(startedAt), FinishedAt: timeOf(finishedAt) };
    return {
      Id: found.id,
      Image: 'image',
      Config: { Labels: labels },
      State: { Status: status, ExitCode: exitCode, ...times },
    };
  }

  function inspectPod(id: string) {
    const found = pods.get(id);
    if (!found) throw absent('pod');
    const infra = `infra-${id}`;
    const state = found.running ? 'running' : 'exited';
    return { Id: id, Labels: found.labels, InfraContainerID: infra, Containers: [{ Id: infra, State: state }] };
  }

  function kill(id: string) {
    if (containers.get(id)?.status !== 'running') throw new PodmanError('conflict', 'can only kill running containers');
    exit(id, 143);
  }

  const listed = (all: ReadonlyMap<string, FakePod | FakeContainer>) =>
    [...all.values()].map(({ id, labels }) => ({ Id: id, Labels: labels }));
  const image = { Id: 'image', RepoDigests: ['registry.local/web@sha256:1'], Size: 1 };

  /** By method, kind, and what is asked of all of a kind or of one of it. */
  const answers: Readonly<Record<string, (id: string, body: unknown) => unknown>> = {
    'GET pods all/json': () => listed(pods),
    'GET containers all/json': () => listed(containers),
    'GET containers all/stats': () => ({ Stats: [] }),
    'GET images all/json': () => [],
    'GET networks all/json': () => networks,
    'GET pods one/json': inspectPod,
    'GET containers one/json': inspectContainer,
    'GET images one/json': () => image,
    'POST networks all/create': (_, body) => networks.push(body as (typeof networks)[number]),
    'POST pods all/create': (_, body) => createPod(body),
    'POST pods one/start': (id) => Object.assign(pods.get(id) ?? {}, { running: true }),
    'POST containers all/create': (_, body) => createContainer(body),
    'POST containers one/start': start,
    'POST containers one/kill': kill,
    'DELETE pods one/': removePod,
    'DELETE containers one/': removeContainer,
  };

  function act({ method, path, body }: Asked): unknown {
    const [, kind = '', first = '', verb = ''] = path.replace(/\?.*/, '').split('/');
    const isOfAll = verb === '' && method !== 'DELETE';
    const answer = answers[`${method} ${kind} ${isOfAll ? `all/${first}` : `one/${verb}`}`];
    if (!answer) throw new Error(`nobody thought of ${method} ${path}`);
    return answer(first, body) ?? null;
  }

  const away = () => new PodmanError('away', 'podman does not answer');

  /** Nobody is there any more who could hear how it came out. */
  function withOverdue<T>(answer: T): T {
    const asked = overdue;
    overdue = null;
    try {
      if (asked) act(asked);
    } catch (why) {
      if (!(why instanceof PodmanError)) throw why;
    }
    return answer;
  }

  function open(): Libpod {
    let isDead = false;
    async function givenUp(asked: Asked, fault: Fault): Promise<never> {
      for (const until = now() + silentMs; now() < until && !isDead;) await new Promise((done) => setTimeout(done, 1));
      if (fault === 'late') overdue = asked;
      throw away();
    }

    async function call(asked: Asked): Promise<unknown> {
      if (isDead) throw away();
      calls += 1;
      const fault = planned?.call === calls ? planned.fault : null;
      await Promise.resolve();
      if (fault === 'silent' || fault === 'late') return givenUp(asked, fault);
      if (fault === 'refused') throw new PodmanError('refused', 'podman refuses');
      if (fault === 'away') throw away();
      if (fault === null) return withOverdue(act(asked));
      if (fault !== 'crashBefore') act(asked);
      if (fault === 'lost') throw away();
      isDead = true;
      planned?.crash();
      throw away();
    }
    return {
      socket: '',
      call,
      stream: async () => {
        if (isDead) throw away();
        const stream = new PassThrough();
        streams.add(stream.once('close', () => streams.delete(stream)));
        return stream as unknown as IncomingMessage;
      },
      hijack: () => never,
      close() {
        isDead = true;
        for (const stream of streams) stream.destroy();
      },
    };
  }

  return {
    open,
    plan: (call, fault, crash) => (planned = { call, fault, crash }),
    cutEventsAt: (event) => (cutAt = event),
    calls: () => calls,
    events: () => events,
    running: () => [...containers.values()].filter(({ status }) => status === 'running'),
    left: () => pods.size + containers.size,
    exit,
    wrongs: () => wrongs,
  };
}
