import { type RemoteInfo, type Socket, createSocket } from 'node:dgram';
import type { Backends, Wanted } from './backends.ts';

/** A client's way to the backend that it was led to. */
interface Flow {
  readonly send: (packet: Buffer) => void;
  readonly end: () => void;
}

const idleMs = 60_000;
const mostFlows = 4_096;

/** A socket that leads the packets of each client to one backend of a port of a Service, and the answers back. */
export function udpSocket(address: string, wanted: Wanted, backends: Backends): Socket {
  const flows = new Map<string, Promise<Flow | null>>();
  const server = createSocket('udp4').on('error', () => {});

  async function open(client: RemoteInfo, key: string): Promise<Flow | null> {
    const [backend] = await backends.of({ from: client.address, reached: address }, wanted);
    if (!backend) {
      flows.delete(key);
      return null;
    }
    const way = createSocket('udp4');
    const end = () => {
      clearTimeout(idle);
      if (flows.delete(key)) way.close();
    };
    const idle = setTimeout(end, idleMs);
    way.on('error', end);
    way.on('message', (packet) => {
      idle.refresh();
      server.send(packet, client.port, client.address);
    });
    return {
      send: (packet) => {
        idle.refresh();
        way.send(packet, backend.port, backend.ip, () => {});
      },
      end,
    };
  }

  server.on('message', (packet, client) => {
    const key = `${client.address}:${client.port}`;
    if (!flows.has(key) && flows.size >= mostFlows) return;
    const flow = flows.get(key) ?? open(client, key);
    flows.set(key, flow);
    void flow.then((one) => one?.send(packet));
  });
  server.on('close', () => {
    for (const flow of flows.values()) void flow.then((one) => one?.end());
  });
  return server;
}
