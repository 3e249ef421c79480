import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ApiClient } from '../apiClient/client.ts';
import { listen, type ListenOptions } from './listen.ts';
import type { Allowed } from './offered.ts';
import { serverOf } from './server.ts';
import { identityOf, toolsFor } from './toolsFor.ts';

/** Serves one agent on standard input and output, until the input ends. Throws before the first byte if not signed in. */
export async function serveInput(client: ApiClient, allowed: Allowed): Promise<void> {
  const tools = await toolsFor(client, await identityOf(client), allowed);
  const served = serveStdio(() => serverOf(tools, client));
  await once(process.stdin, 'end');
  await served.close();
}

/** Serves agents over HTTP until the process is asked to end. */
export async function serveHttp(options: ListenOptions, onListening: (port: number) => void): Promise<void> {
  const { address, stop } = await listen(options);
  const ending = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  onListening(address.port);
  await ending;
  await stop();
}
