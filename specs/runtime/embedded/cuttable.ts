import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A way to a server whose connections can be cut at any moment. */
export interface Cuttable {
  readonly url: string;
  /** Cuts every connection there is; new ones work. Says how many there were. */
  readonly cut: () => number;
  /** How many connections there are. */
  readonly open: () => number;
  readonly stop: () => Promise<void>;
}

export async function cuttable(url: string): Promise<Cuttable> {
  const to = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    open.add(near);
    near.once('close', () => open.delete(near));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const cut = () => {
    const { size } = open;
    for (const socket of open) socket.destroy();
    open.clear();
    return size;
  };
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    open: () => open.size,
    stop: () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      cut();
      return closed;
    },
  };
}
