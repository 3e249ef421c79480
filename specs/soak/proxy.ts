import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Random } from './random.ts';

/** What becomes of one connection. `after` is the number of bytes that still pass before it happens. */
type ConnectionFault =
  | { readonly is: 'none' }
  | { readonly is: 'dropped' }
  | { readonly is: 'reset'; readonly after: number }
  | { readonly is: 'halfClosed'; readonly after: number; readonly side: Side }
  | { readonly is: 'slow'; readonly ms: number }
  | { readonly is: 'swallowed'; readonly after: number; readonly ms: number };

/** Towards the server, or back towards the client. */
type Side = 'up' | 'down';

/** How many of a hundred connections meet which fault; the rest pass. */
export type Weather = Readonly<Partial<Record<Exclude<ConnectionFault['is'], 'none'>, number>>>;

export interface Proxy {
  readonly port: number;
  /** What connections meet from now on; those that are open keep what they met. */
  readonly weather: (weather: Weather) => void;
  /** Ends every open connection at once. */
  readonly resetAll: () => number;
  /** Nothing passes any more, in neither direction, and nobody is told; ends after so many ms by a reset of all. */
  readonly blackHole: (ms: number) => void;
  /** Good weather, and every connection that met something else ends. */
  readonly stopFaults: () => void;
  /** How many connections met what; `cut` are those that were ended while they were open. */
  readonly counts: () => Readonly<Record<string, number>>;
  readonly stop: () => Promise<void>;
}

const longestPassMs = 1_500;
const manyBytes = 6_000;

/** The fault of the next connection. */
function faultOf(random: Random, weather: Weather): ConnectionFault {
  const faults = Object.values(weather).reduce((sum, weight) => sum + weight, 0);
  const is = random.weighted({ none: Math.max(0, 100 - faults), ...weather } as Record<ConnectionFault['is'], number>);
  switch (is) {
    case 'none':
    case 'dropped':
      return { is };
    case 'reset':
      return { is, after: random.below(manyBytes) };
    case 'halfClosed':
      return { is, after: random.below(manyBytes), side: random.holds(0.5) ? 'up' : 'down' };
    case 'slow':
      return { is, ms: random.between(50, longestPassMs) };
    case 'swallowed':
      return { is, after: random.below(manyBytes), ms: random.between(1_000, 6_000) };
  }
}

/**
 * A TCP proxy on loopback whose connections meet faults, as the seed decides. It holds nothing back for longer than a
 * second and a half, and what it swallows never arrives: a request cannot outlive its sender by more.
 */
export async function startProxy(target: () => number, random: Random): Promise<Proxy> {
  const links = new Set<Link>();
  const counts: Record<string, number> = { passed: 0 };
  let weather: Weather = {};
  let isDark = false;
  let darkness: NodeJS.Timeout | undefined;
  const count = (name: string, by = 1) => void (counts[name] = (counts[name] ?? 0) + by);

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const fault = faultOf(random, weather);
    count(fault.is === 'none' ? 'passed' : fault.is);
    if (fault.is === 'dropped') return void client.on('error', () => {}).destroy();
    const link = linkTo(client, connect({ port: target(), host: '127.0.0.1', allowHalfOpen: true }), {
      fault,
      isDark: () => isDark,
    });
    links.add(link);
    link.onEnd(() => links.delete(link));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

  const resetAll = () => {
    const met = links.size;
    count('cut', met);
    for (const link of links) link.reset();
    return met;
  };
  const lighten = () => {
    clearTimeout(darkness);
    isDark = false;
  };
  return {
    port: (server.address() as AddressInfo).port,
    weather: (next) => {
      weather = next;
    },
    resetAll,
    blackHole: (ms) => {
      lighten();
      isDark = true;
      darkness = setTimeout(() => {
        lighten();
        resetAll();
      }, ms);
    },
    stopFaults: () => {
      weather = {};
      lighten();
      resetAll();
    },
    counts: () => counts,
    stop: async () => {
      lighten();
      const closed = new Promise<void>((done) => server.close(() => done()));
      resetAll();
      await closed;
    },
  };
}

interface Link {
  readonly reset: () => void;
  readonly onEnd: (listener: () => void) => void;
}

interface Meets {
  readonly fault: ConnectionFault;
  readonly isDark: () => boolean;
}

/** Node never frees a socket that is reset while it is being shut down, and then never exits. */
const resetOne = (socket: Socket) => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy());

/** Two sockets that hear each other, as far as the fault lets them. */
function linkTo(client: Socket, upstream: Socket, { fault, isDark }: Meets): Link {
  const timers = new Set<NodeJS.Timeout>();
  const listeners: (() => void)[] = [];
  let passed = 0;
  let isOver = false;
  let isSwallowing = false;

  const end = () => {
    if (isOver) return;
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
    client.destroy();
    upstream.destroy();
    for (const listener of listeners) listener();
  };
  const reset = () => {
    resetOne(client);
    resetOne(upstream);
    end();
  };
  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };

  /** Whether what just came may still go on. */
  const mayPass = (bytes: number): boolean => {
    const before = passed;
    passed += bytes;
    if (isDark() || isSwallowing) return false;
    if (!('after' in fault) || before > fault.after || passed <= fault.after) return true;
    if (fault.is === 'reset') {
      reset();
      return false;
    }
    if (fault.is === 'halfClosed') {
      (fault.side === 'up' ? upstream : client).end();
      later(longestPassMs, end);
      return false;
    }
    isSwallowing = true;
    later(fault.ms, reset);
    return false;
  };

  const pipe = (from: Socket, to: Socket) => {
    let next = 0;
    const afterWait = (run: () => void) => {
      if (fault.is !== 'slow') return run();
      // Never before what came earlier.
      next = Math.max(next, performance.now() + fault.ms);
      later(next - performance.now(), run);
    };
    from.on('data', (chunk: Buffer) => {
      if (!mayPass(chunk.length)) return;
      afterWait(() => {
        if (!to.writable) return;
        if (to.write(chunk)) return;
        from.pause();
        to.once('drain', () => from.resume());
      });
    });
    from.on('end', () => {
      if (!isDark() && !isSwallowing) afterWait(() => to.end());
    });
    from.on('error', end);
    from.on('close', () => {
      // An end that went with an error takes what is held back with it; a clean one lets the other side finish.
      if (to.destroyed || from.errored) end();
    });
  };
  pipe(client, upstream);
  pipe(upstream, client);
  return { reset, onEnd: (listener) => void listeners.push(listener) };
}
