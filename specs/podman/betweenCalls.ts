import { type Server, type Socket, connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { OwnPodman } from './ownPodman.ts';

/** What is asked of podman that changes something. */
interface Call {
  readonly method: string;
  readonly path: string;
}

/** What happens around each call; where false comes back, the call or its answer goes no further. */
interface CallHooks {
  readonly before?: (call: Call) => boolean | Promise<boolean>;
  readonly after?: (call: Call) => boolean;
}

export interface BetweenCalls {
  readonly socket: string;
  readonly stop: () => void;
}

const changing = /^(POST|PUT|DELETE) (\S+) HTTP/;

/** A socket before podman's, at which its calls are seen as they go there and as they are answered. */
export async function betweenCalls(own: OwnPodman, { before, after }: CallHooks): Promise<BetweenCalls> {
  const socket = join(own.folder, `between-${Date.now()}`);
  const open = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    const podman = connect({ path: own.socket, allowHalfOpen: true });
    let asked: Call | null = null;
    const part = () => {
      client.destroy();
      podman.destroy();
    };
    for (const [side, other] of [
      [client, podman],
      [podman, client],
    ] as const) {
      open.add(side);
      // Whoever is read to its end may still be written to.
      side.on('end', () => other.end()).on('error', part);
      side.on('close', () => {
        open.delete(side);
        other.end();
      });
    }
    client.on('data', (chunk: Buffer) => {
      const [, method = '', path = ''] = changing.exec(chunk.toString('latin1')) ?? [];
      if (method === '') return void podman.write(chunk);
      client.pause();
      asked = { method, path };
      void Promise.resolve(before?.({ method, path }) ?? true).then((goesOn) => {
        if (!goesOn) return part();
        podman.write(chunk);
        return client.resume();
      });
    });
    podman.on('data', (chunk: Buffer) => {
      const answered = asked;
      asked = null;
      if (answered && after?.(answered) === false) part();
      else client.write(chunk);
    });
  });
  await new Promise<void>((done) => server.listen(socket, done));
  return {
    socket,
    stop() {
      server.close();
      for (const one of open) one.destroy();
    },
  };
}
