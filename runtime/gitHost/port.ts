import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './stateFile.ts';

interface Place {
  readonly dataDir: string;
  readonly host: string;
  /** 0 for any free one, reused at the next start while it is free. */
  readonly port: number;
}

/** Starts to listen on the earlier port if possible, so that clients such as running builds still find the server. */
export async function listenAgain(server: Server, { dataDir, host, port }: Place): Promise<AddressInfo> {
  if (port !== 0) return listening(server, port, host);
  const file = join(dataDir, 'port');
  const before = portIn(file);
  const address = await listening(server, before, host).catch((why: NodeJS.ErrnoException) => {
    if (before !== 0 && why.code === 'EADDRINUSE') return listening(server, 0, host);
    throw why;
  });
  if (address.port !== before) await writeWhole(file, String(address.port));
  return address;
}

/** The port of the last start; 0 when unknown. */
function portIn(file: string): number {
  try {
    const text = readFileSync(file, 'utf8');
    return /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536 ? Number(text) : 0;
  } catch {
    return 0;
  }
}

function listening(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      done(server.address() as AddressInfo);
    });
  });
}
