import { createHash } from 'node:crypto';
import type { Current } from './current.ts';
import { mayConnect } from './gate.ts';
import { isWithin } from './ranges.ts';
import { type Backend, type ServedPort, type ServedService, keyOf } from './view.ts';

/** Who asks: the address that a connection comes from, and the one that it reached. */
export interface Caller {
  readonly from: string;
  readonly reached: string;
}

export interface Wanted {
  /** `namespace/name` of the Service. */
  readonly service: string;
  readonly port: number;
  readonly protocol: string;
}

/** Which backends of a Service a caller may be led to, in the order in which they are tried. */
export interface Backends {
  readonly of: (caller: Caller, wanted: Wanted) => Promise<readonly Backend[]>;
  /** The same for a caller on the machine itself, whom no policy keeps out. */
  readonly ofMachine: (service: ServedService, port: ServedPort, client: string) => readonly Backend[];
}

/** How long a pod may run before the API publishes its address. */
const newcomerMs = 2_000;

export const isLoopback = (ip: string) => ip.startsWith('127.') || ip === '::1';

export function createBackends(current: Current, podRange: string): Backends {
  const turns = new Map<string, number>();

  /** In turn, or always in the same order for one client where it keeps to one. */
  function inOrder(service: ServedService, port: ServedPort, client: string): readonly Backend[] {
    const { backends } = port;
    if (backends.length < 2) return backends;
    if (service.sticky) return backends.toSorted((a, b) => (weight(client, a) < weight(client, b) ? -1 : 1));
    const key = `${keyOf(service)}:${port.port}/${port.protocol}`;
    const turn = (turns.get(key) ?? 0) % backends.length;
    turns.set(key, turn + 1);
    return [...backends.slice(turn), ...backends.slice(0, turn)];
  }

  /** The machine itself reaches an address of its own from that very address, or from loopback. */
  const isMachine = ({ from, reached }: Caller) => from === reached || isLoopback(from);

  const isKnown = (ip: string) => current.until(({ podsByIp }) => podsByIp.has(ip), newcomerMs);

  return {
    async of(caller, { service: key, port: number, protocol }) {
      const { from } = caller;
      const trusted = isMachine(caller);
      if (!trusted && !(isWithin(from, podRange) && (await isKnown(from)))) return [];
      const view = current.view();
      const service = view.services.get(key);
      const port = service?.ports.find((one) => one.port === number && one.protocol === protocol);
      if (!service || !port) return [];
      const all = inOrder(service, port, from);
      if (trusted) return all;
      return all.filter((to) => mayConnect(view, { from, to: to.ip, port: to.port, protocol }));
    },
    ofMachine: inOrder,
  };
}

const weight = (client: string, { ip, port }: Backend) =>
  createHash('sha1').update(`${client} ${ip}:${port}`).digest('hex');
