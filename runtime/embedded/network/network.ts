import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { jsonAt } from '../api/json.ts';
import { keyOf } from '../nodes/shapes.ts';
import type { Store, Stored } from '../store.ts';
import type { ClusterOptions } from '../surroundings.ts';
import type { NetworkChange } from './current.ts';
import type { ClosedPort } from './doors.ts';
import type { NetworkObject } from './objects.ts';
import type { FromNetwork, ToNetwork } from './protocol.ts';
import { outOfService } from './outOfService.ts';
import { readers } from './readObject.ts';
import type { NetworkOptions } from './serve.ts';
import type { Demanded } from './waking/demand.ts';

export interface Network {
  /** Everything that the store reported before is acted upon: nobody is led any more where nobody is to be led. */
  readonly settled: () => Promise<void>;
  /** Waits until no Service leads to a pod any more that was asked to end; not for ever. */
  readonly left: (pod: Stored) => Promise<void>;
  /** Waits until the policies hold of a pod that is about to have an address. */
  readonly joined: (pod: Stored, address: string) => Promise<void>;
  readonly pid: () => number | undefined;
  /** Keeps what no object of the store says. */
  readonly put: (change: NetworkChange) => void;
  /** Calls with the requests for Services that may have no pod, whenever their number changed. */
  readonly onDemand: (listener: (demand: readonly Demanded[]) => void) => void;
  /** Calls with the ports of Services that cannot be opened, whenever others are. */
  readonly onClosed: (listener: (closed: readonly ClosedPort[]) => void) => void;
  readonly stop: () => Promise<void>;
}

const podShelf = '/pods';
const restartMs = 200;
/** A pod that is to end ends, whatever keeps its Services from knowing. */
const longestLeaveMs = 1_500;

/** Bundled, the process is a file beside this one; from source it has to be taught TypeScript first. */
function startProcess(): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const file = fileURLToPath(new URL(isSource ? 'process.ts' : 'network.js', import.meta.url));
  return fork(file, [], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    execArgv: isSource ? ['--import', 'tsx'] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Keeps the network of a store's Services in a process of its own, which is replaced when it dies. */
export function startNetwork(
  store: Pick<Store, 'list' | 'onChange'>,
  options: NetworkOptions,
  { log, uncaught }: Pick<ClusterOptions, 'log' | 'uncaught'>,
): Network {
  /** What was last sent of each object, so that only changes are sent. */
  const known = new Map<string, { readonly text: string; readonly object: NetworkObject }>();
  const waiting = new Map<number, () => void>();
  /** The addresses of pods that their status may not contain yet. */
  const addresses = new Map<string, string>();
  /** The routes that have requests now. */
  const demanded = new Set<string>();
  const listeners = new Set<(demand: readonly Demanded[]) => void>();
  const closedListeners = new Set<(closed: readonly ClosedPort[]) => void>();
  let changes = new Map<string, NetworkObject | null>();
  let turns = 0;
  let isStopped = false;
  let child = start();

  const send = (message: ToNetwork) => child.connected && child.send(message, () => {});

  function start(): ChildProcess {
    const started = startProcess();
    const begin = (message: ToNetwork) => started.send(message, () => {});
    begin({ is: 'begin', options });
    begin({ is: 'changed', changes: [...known].map(([key, { object }]): NetworkChange => [key, object]) });
    for (const turn of waiting.keys()) begin({ is: 'settle', turn });
    started.on('message', hear);
    started.on('error', (why) => log('error', 'the process of the network failed', { why: String(why) }));
    started.on('exit', (code, signal) => {
      if (isStopped) return;
      // Every request that it held is lost with it.
      reportDemand([...demanded].map((route) => [route, 0, 0]));
      log('error', 'the process of the network ended and is started again', { code, signal });
      setTimeout(() => {
        if (!isStopped) child = start();
      }, restartMs);
    });
    return started;
  }

  function hear(message: FromNetwork) {
    if (message.is === 'complaint') return complained(message.why, message.closed);
    if (message.is === 'demand') return reportDemand(message.demand);
    if (message.is === 'uncaught') return uncaught(message.uncaught);
    waiting.get(message.turn)?.();
    return waiting.delete(message.turn);
  }

  function complained(why: string, closed: readonly ClosedPort[]) {
    log('warn', 'the network lacks something', { why });
    for (const listener of closedListeners) listener(closed);
  }

  function reportDemand(demand: readonly Demanded[]) {
    for (const [route, , now] of demand)
      if (now > 0) demanded.add(route);
      else demanded.delete(route);
    for (const listener of listeners) listener(demand);
  }

  function note(bucket: string, stored: Stored, isGone: boolean) {
    const read = readers[bucket];
    if (!read) return;
    const key = `${bucket} ${keyOf(stored)}`;
    if (isGone) addresses.delete(stored.metadata.uid);
    put([key, isGone ? null : read(bucket === podShelf ? withAddress(stored) : stored)]);
  }

  function put([key, object]: NetworkChange) {
    const text = object ? JSON.stringify(object) : '';
    if ((known.get(key)?.text ?? '') === text) return;
    if (object) known.set(key, { text, object });
    else known.delete(key);
    // Of what changes together only the last is sent.
    if (changes.size === 0) setImmediate(flush);
    changes.set(key, object);
  }

  function withAddress(pod: Stored): Stored {
    const podIP = addresses.get(pod.metadata.uid);
    return podIP === undefined ? pod : { ...pod, status: { podIP, ...jsonAt(pod, 'status') } };
  }

  function flush() {
    if (changes.size === 0) return;
    send({ is: 'changed', changes: [...changes] });
    changes = new Map();
  }

  const unsubscribe = store.onChange(({ bucket, object, type }) => note(bucket, object, type === 'DELETED'));
  for (const bucket of Object.keys(readers)) for (const object of store.list(bucket)) note(bucket, object, false);

  function settled() {
    flush();
    const turn = ++turns;
    return new Promise<void>((done) => {
      waiting.set(turn, done);
      send({ is: 'settle', turn });
    });
  }

  return {
    pid: () => child.pid,
    settled,
    put,
    onDemand: (listener) => void listeners.add(listener),
    onClosed: (listener) => void closedListeners.add(listener),
    joined(pod, address) {
      addresses.set(pod.metadata.uid, address);
      note(podShelf, pod, false);
      return settled();
    },
    async left(pod) {
      const patience = new Promise<void>((done) => setTimeout(done, longestLeaveMs).unref());
      await Promise.race([outOfService(store, pod).then(settled), patience]);
    },
    async stop() {
      isStopped = true;
      unsubscribe();
      for (const done of waiting.values()) done();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((done) => child.once('exit', done));
      send({ is: 'stop' });
      await ended;
    },
  };
}
