import type { Socket } from 'node:dgram';
import type { Server } from 'node:net';
import type { Backends, Wanted } from './backends.ts';
import { tcpServer } from './tcp.ts';
import { udpSocket } from './udp.ts';
import { type View, isReached, keyOf } from './view.ts';

/** An address and port at which a port of a Service is reached. */
interface Door extends Wanted {
  readonly address: string;
  readonly number: number;
}

/** A port of a Service that could not be opened. */
export interface ClosedPort {
  /** `namespace/name` of the Service. */
  readonly service: string;
  /** A message for the events of the Service. */
  readonly message: string;
  /** The words of the machine. */
  readonly why: string;
}

/** The open doors of all Services. */
export interface Doors {
  /** Opens what is missing and closes what is wanted no more; gives what could not be opened. */
  readonly bring: (wanted: ReadonlyMap<string, Door>) => Promise<readonly ClosedPort[]>;
  readonly stop: () => void;
}

const loopbackAddress = '127.0.0.1';

/** Every Service is reached at its own address, and at the machine's loopback by its node ports. */
export function doorsOf({ services }: View, isKept: (address: string, port: number) => boolean) {
  const doors = [...services.values()].flatMap((service) =>
    service.ports.flatMap(({ port, protocol, nodePort }): readonly Door[] => {
      const wanted = { service: keyOf(service), port, protocol };
      return [
        ...(isReached(service) && !isKept(service.clusterIP, port)
          ? [{ ...wanted, address: service.clusterIP, number: port }]
          : []),
        ...(nodePort === 0 ? [] : [{ ...wanted, address: loopbackAddress, number: nodePort }]),
      ];
    }),
  );
  return new Map(doors.map((door) => [JSON.stringify(door), door]));
}

export function createDoors(backends: Backends): Doors {
  const open = new Map<string, () => void>();

  async function openOne(key: string, door: Door): Promise<ClosedPort | null> {
    try {
      open.set(key, await (door.protocol === 'UDP' ? listenUdp(door) : listenTcp(door)));
      return null;
    } catch (why) {
      const { service, protocol, address, number } = door;
      const words = isTaken(why) ? 'another program of this machine has it' : (why as Error).message;
      return {
        service,
        message: `${protocol} port ${number} of ${address} cannot be opened: ${words}`,
        why: `${service}: ${protocol} ${address}:${number}: ${String(why)}`,
      };
    }
  }

  const listenTcp = (door: Door) => listening(tcpServer(door, backends), door);
  const listenUdp = (door: Door) => bound(udpSocket(door.address, door, backends), door);

  return {
    async bring(wanted) {
      for (const [key, close] of open)
        if (!wanted.has(key)) {
          close();
          open.delete(key);
        }
      const missing = [...wanted].filter(([key, { protocol }]) => !open.has(key) && protocol !== 'SCTP');
      const refused = await Promise.all(missing.map(([key, door]) => openOne(key, door)));
      return refused.filter((why) => why !== null);
    },
    stop() {
      for (const close of open.values()) close();
      open.clear();
    },
  };
}

export const isTaken = (why: unknown): boolean => (why as NodeJS.ErrnoException).code === 'EADDRINUSE';

/** Connections that are under way outlive their door. */
const listening = (server: Server, { address, number }: Door): Promise<() => void> =>
  new Promise((done, failed) => {
    server.on('error', failed);
    server.listen({ host: address, port: number, backlog: 4_096 }, () => done(() => server.close()));
  });

const bound = (socket: Socket, { address, number }: Door): Promise<() => void> =>
  new Promise((done, failed) => {
    socket.on('error', failed);
    socket.bind(number, address, () => done(() => socket.close()));
  });
