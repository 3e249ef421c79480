import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './stateFile.ts';

interface Place {
  readonly dataDir: string;
  readonly host: string;
  /** 0 for any free one, and then the same again at the next start as long as nobody else has it. */
  readonly port: number;
}

/** Lets a server listen. Whoever was given an address before a start, such as a build that runs, still finds it there. */
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

/** The port of the last start; 0 where none is known. */
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
