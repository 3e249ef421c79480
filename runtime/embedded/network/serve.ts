import { createBackends } from './backends.ts';
import { breakOff } from './connect.ts';
import { createCurrent, type NetworkChange } from './current.ts';
import { machineServers } from './dns/upstream.ts';
import { startDns } from './dns/server.ts';
import { type ClosedPort, createDoors, doorsOf, isTaken } from './doors.ts';
import { createFirewall } from './egress/firewall.ts';
import { restrictedIn } from './egress/rules.ts';
import { startIngress } from './ingress/server.ts';
import { createLoopback } from './loopback.ts';
import { machineServer } from './machineServer.ts';
import { isReached, type View } from './view.ts';
import { createDemand, type Demanded } from './waking/demand.ts';
import { startWakeProxy } from './waking/proxy.ts';

export interface NetworkOptions {
  /** Whose addresses these are, in a few letters and digits: those of others on the machine are left alone. */
  readonly owner: string;
  readonly podRange: string;
  readonly serviceRange: string;
  readonly dnsAddress: string;
  /** Where visitors are let in on loopback. */
  readonly ingressPort: number;
  /** The same under the certificates that the Ingresses name; null where they are not to be served. */
  readonly ingressTlsPort: number | null;
  /** The Service to which the requests for pods that may sleep are led. */
  readonly wakeProxy?: {
    readonly namespace: string;
    readonly name: string;
    readonly address: string;
    readonly port: number;
  };
}

/** What the network says by itself. */
export interface NetworkListeners {
  readonly complain: (why: string, closed: readonly ClosedPort[]) => void;
  /** Of the requests for Services that may have no pod. */
  readonly demand?: (demand: readonly Demanded[]) => void;
}

/** What could not be brought about, and which ports of Services that are. */
interface Lacking {
  readonly troubles: readonly string[];
  readonly closed: readonly ClosedPort[];
}

export interface ServedNetwork {
  readonly put: (changes: readonly NetworkChange[]) => void;
  /** Everything put before is acted upon, as far as the machine lets it. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const dnsPort = 53;
const retryMs = 500;
const loopbackAddresses = ['127.0.0.1', '::1'];

/** Makes the machine answer for Services: their addresses, node ports, names, and visitors. */
export function serveNetwork(options: NetworkOptions, listeners: NetworkListeners): ServedNetwork {
  const { podRange, serviceRange, dnsAddress, ingressPort, ingressTlsPort, wakeProxy } = options;
  const { complain } = listeners;
  const current = createCurrent();
  const backends = createBackends(current, podRange);
  const loopback = createLoopback(options.owner);
  const doors = createDoors(backends);
  const firewall = createFirewall(options);
  const ranges = { services: serviceRange, pods: podRange };
  const servers = () => machineServers(dnsAddress);
  const dns = once(() => startDns({ view: current.view, ranges, servers, address: dnsAddress, port: dnsPort }));
  const letIn = (port: number, isSecure: boolean) =>
    loopbackAddresses.map((host) => {
      const taken = takenPort(`port ${port} of ${host}`, isSecure ? 'ingress-tls-port' : 'ingress-port');
      return once(() => startIngress({ current, backends, host, port, isSecure }).catch(taken));
    });
  const ingresses = [...letIn(ingressPort, false), ...(ingressTlsPort === null ? [] : letIn(ingressTlsPort, true))];
  const demand = createDemand(listeners.demand ?? (() => {}));
  const waking = once(() => startWaking());
  let complained = '';
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let isStopped = false;

  const isKept = (address: string, port: number) => address === dnsAddress && port === dnsPort;
  const addressesIn = ({ services }: View) =>
    new Set([dnsAddress, ...[...services.values()].filter(isReached).map(({ clusterIP }) => clusterIP)]);

  async function startWaking(): Promise<() => void> {
    if (!wakeProxy) return () => {};
    const { namespace, name, address, port } = wakeProxy;
    const [host = ''] = loopbackAddresses;
    const proxy = await startWakeProxy({ current, backends, demand, host });
    const server = new URL(`http://${host}:${proxy.port}`);
    current.put(machineServer({ namespace, name, server, at: { address, port } }).changes);
    void ask();
    return proxy.stop;
  }

  /** What could not be brought about; the rest is. */
  async function bring(): Promise<Lacking> {
    const view = current.view();
    const lacking = [
      ...(await troubleOf(() => firewall.bring(restrictedIn(view, podRange)))),
      ...(await troubleOf(() => loopback.bring(addressesIn(view)))),
    ];
    const closed = await doors.bring(doorsOf(view, isKept));
    const others = await Promise.all([dns, waking, ...ingresses].map((one) => troubleOf(one.start)));
    return { troubles: [...lacking, ...closed.map(({ why }) => why), ...others.flat()], closed };
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    if (isStopped) return;
    const { troubles: all, closed } = await bring();
    const troubles = all.filter((why) => !isOfOldMachine(why));
    const said = troubles.join('; ');
    if (said !== '' && said !== complained) complain(said, closed);
    complained = said;
    // A dying process before this one may hold for a moment what is wanted.
    if (troubles.length > 0 && !isStopped) timer = setTimeout(() => void ask(), retryMs);
  }

  /** One run at a time, and never more than one waiting. */
  let asked: Promise<void> | null = null;
  function ask(): Promise<void> {
    asked ??= underWay.then(() => {
      asked = null;
      underWay = look();
      return underWay;
    });
    return asked;
  }

  return {
    put(changes) {
      const before = current.view().podsByIp;
      current.put(changes);
      const { podsByIp } = current.view();
      for (const ip of before.keys()) if (!podsByIp.has(ip)) breakOff(ip);
      void ask();
    },
    settled: ask,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await underWay;
      doors.stop();
      for (const one of [dns, waking, ...ingresses]) one.stop();
      demand.stop();
      await troubleOf(() => loopback.bring(new Set()));
    },
  };
}

const takenPort =
  (place: string, flag: string) =>
  (why: unknown): never => {
    if (!isTaken(why)) throw why;
    const setting = `CORE_${flag.toUpperCase().replaceAll('-', '_')} or --${flag}`;
    throw new Error(
      `another program of this machine has ${place}, where visitors are let in: end it, or start with another ${setting}`,
    );
  };

/** Something that is started once, however often it has to be tried. */
function once(start: () => Promise<() => void>) {
  let end: (() => void) | null = null;
  return {
    start: async () => {
      end ??= await start();
    },
    stop: () => end?.(),
  };
}

async function troubleOf(act: () => Promise<void>): Promise<readonly string[]> {
  try {
    await act();
    return [];
  } catch (why) {
    return [why instanceof Error ? why.message : String(why)];
  }
}

/** A machine without the newer protocol has no second loopback. */
const isOfOldMachine = (why: string) => /EADDRNOTAVAIL.*::1|EAFNOSUPPORT.*::1/.test(why);
