import { listAt, textAt } from '../../api/json.ts';
import { label } from './labels.ts';
import { isKilledForMemory } from './outOfMemory.ts';
import { type Libpod, labelled, unlessAbsent } from './libpod.ts';
import {
  type SeenContainer,
  type SeenPod,
  type Sandbox,
  labelsIn,
  seenContainer,
  seenSandbox,
  killedCode,
  lost,
} from './seen.ts';

/** What is known of the pods on this machine that belong to this data directory. */
export interface Cache {
  readonly of: (uid: string) => SeenPod | undefined;
  readonly all: () => readonly SeenPod[];
  /** The pods of other data directories, by the id of theirs. */
  readonly strangers: () => ReadonlyMap<string, number>;
  /** Reads everything anew. Returns the uids that were and are known. */
  readonly load: () => Promise<ReadonlySet<string>>;
  /** Looks at a container anew; `exitCode`: podman told of its end. */
  readonly refreshContainer: (uid: string, id: string, exitCode?: number | null) => Promise<void>;
  readonly refreshSandbox: (uid: string, id: string) => Promise<void>;
  /** Keeps a sandbox that was started just now. */
  readonly putSandbox: (uid: string, labels: Readonly<Record<string, string>>, sandbox: Sandbox) => void;
  /** Keeps what is no container of podman's: a program that the node runs itself. */
  readonly put: (uid: string, container: SeenContainer) => void;
  readonly forgetContainer: (uid: string, id: string) => void;
  readonly forgetPod: (uid: string) => void;
}

interface Entry {
  namespace: string;
  name: string;
  sandbox: Sandbox | null;
  readonly containers: Map<string, SeenContainer>;
}

/** Of a program that the node runs itself, podman knows nothing. */
export const programPrefix = 'program:';

/** The ids of what podman keeps of a pod. */
const idsAt = ({ sandbox, containers }: Entry): readonly string[] => [
  ...(sandbox ? [sandbox.id] : []),
  ...[...containers.keys()].filter((id) => !id.startsWith(programPrefix)),
];

export function createCache(podman: Libpod, cluster: string): Cache {
  const pods = new Map<string, Entry>();
  const strangers = new Map<string, number>();

  function entryOf(uid: string, labels: Readonly<Record<string, string>> = {}): Entry {
    const known = pods.get(uid);
    const entry = known ?? { namespace: '', name: '', sandbox: null, containers: new Map() };
    pods.set(uid, entry);
    entry.namespace ||= labels[label.namespace] ?? '';
    entry.name ||= labels[label.pod] ?? '';
    return entry;
  }

  const seen = (uid: string, { namespace, name, sandbox, containers }: Entry): SeenPod => ({
    uid,
    namespace,
    name,
    sandbox,
    containers: [...containers.values()],
  });

  async function readContainer(uid: string, id: string): Promise<SeenContainer | null> {
    const path = `/containers/${id}/json`;
    const inspected = await unlessAbsent(podman.call({ method: 'GET', path }));
    const container = inspected === null ? null : seenContainer(inspected);
    if (inspected === null) forgetContainer(uid, id);
    else if (container) entryOf(uid, labelsIn(inspected));
    return container;
  }

  /** A run has one start and one end: what podman shows of it after that, or showed before and is heard late, is neither. */
  function keep(uid: string, container: SeenContainer) {
    const { containers } = entryOf(uid);
    const known = containers.get(container.id);
    const hasEnded = known?.state === 'exited' && known.error !== lost && known.startedAt === container.startedAt;
    if (!hasEnded) containers.set(container.id, withMemory(container));
  }

  /**
   * Whoever attaches to a container in the moment in which it ends has podman prepare it for another start, which forgets
   * its exit code. Its end is told all the same, with the code.
   */
  async function refreshContainer(uid: string, id: string, exitCode: number | null = null) {
    const container = await readContainer(uid, id);
    if (container?.error !== lost) return container ? keep(uid, container) : undefined;
    if (exitCode !== null) keep(uid, { ...container, exitCode, error: '' });
    else if (pods.get(uid)?.containers.get(id)?.state !== 'running') keep(uid, container);
  }

  async function loadContainer(uid: string, id: string) {
    const container = await readContainer(uid, id);
    if (container) keep(uid, container);
  }

  async function refreshSandbox(uid: string, id: string) {
    const inspected = await unlessAbsent(podman.call({ method: 'GET', path: `/pods/${id}/json` }));
    if (inspected === null) {
      const known = pods.get(uid);
      if (known?.sandbox?.id === id) known.sandbox = null;
    } else entryOf(uid, labelsIn(inspected)).sandbox = seenSandbox(inspected);
  }

  function forgetContainer(uid: string, id: string) {
    pods.get(uid)?.containers.delete(id);
  }

  async function load() {
    const known = new Set(pods.keys());
    // Whoever looks meanwhile sees what was there, and what is made meanwhile is in none of the lists.
    const before = new Set([...pods.values()].flatMap(idsAt));
    const found = await podman.call({ method: 'GET', path: '/pods/json', query: { filters: labelOf(label.cluster) } });
    const own = (Array.isArray(found) ? found : []).filter((one) => isOwn(labelsIn(one)));
    const query = { all: 'true', filters: labelled({ [label.cluster]: cluster }) };
    const containers = listAt(
      { found: await podman.call({ method: 'GET', path: '/containers/json', query }) },
      'found',
    );
    for (const one of own) await refreshSandbox(labelsIn(one)[label.uid] ?? '', textAt(one, 'Id'));
    for (const one of containers) {
      const labels = labelsIn(one);
      if (labels[label.container] !== undefined) await loadContainer(labels[label.uid] ?? '', textAt(one, 'Id'));
    }
    const there = new Set([...own, ...containers].map((one) => textAt(one, 'Id')));
    const isGone = (id: string) => before.has(id) && !there.has(id);
    for (const entry of pods.values()) {
      if (entry.sandbox && isGone(entry.sandbox.id)) entry.sandbox = null;
      for (const id of entry.containers.keys()) if (isGone(id)) entry.containers.delete(id);
    }
    for (const [uid, { sandbox, containers: left }] of pods) if (!sandbox && left.size === 0) pods.delete(uid);
    return new Set([...known, ...pods.keys()]);
  }

  function isOwn(labels: Readonly<Record<string, string>>): boolean {
    const id = labels[label.cluster] ?? '';
    if (id !== cluster) strangers.set(id, (strangers.get(id) ?? 0) + 1);
    return id === cluster;
  }

  return {
    of: (uid) => {
      const entry = pods.get(uid);
      return entry && seen(uid, entry);
    },
    all: () => [...pods].map(([uid, entry]) => seen(uid, entry)),
    strangers: () => strangers,
    load: async () => {
      strangers.clear();
      return load();
    },
    refreshContainer,
    refreshSandbox,
    putSandbox: (uid, labels, sandbox) => void (entryOf(uid, labels).sandbox = sandbox),
    put: (uid, container) => void entryOf(uid).containers.set(container.id, container),
    forgetContainer,
    forgetPod: (uid) => void pods.delete(uid),
  };
}

/** An end by a signal is looked up once: what a container ended of is then known. */
function withMemory(container: SeenContainer): SeenContainer {
  if (container.state !== 'exited' || container.oomKilled || container.exitCode !== killedCode) return container;
  return { ...container, oomKilled: isKilledForMemory(container.id) };
}

const labelOf = (name: string) => JSON.stringify({ label: [name] });
