import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ApiClient } from '../apiClient/client.ts';
import type { CallerIdentity, Description } from './caller.ts';
import type { ListenOptions } from './listen.ts';
import type { Allowed } from './offered.ts';
import { serverOf } from './server.ts';
import { toolsFor } from './toolsFor.ts';

/** The caller, as the API identified it before the protocol began. */
interface Caller {
  readonly client: ApiClient;
  readonly identity: CallerIdentity;
  readonly description: Description;
}

/** Serves one agent on standard input and output, until the input ends. */
export async function serveInput({ client, identity, description }: Caller, allowed: Allowed): Promise<void> {
  const tools = toolsFor(description, identity, allowed);
  const served = serveStdio(() => serverOf(tools, client));
  await once(process.stdin, 'end');
  await served.close();
}

/** Serves agents over HTTP until the process is stopped. */
export async function serveHttp(options: ListenOptions, onListening: (port: number) => void): Promise<void> {
  // Loaded on use: on standard input nothing of HTTP is served.
  const { listen } = await import('./listen.ts');
  const { address, stop } = await listen(options);
  const ending = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  onListening(address.port);
  await ending;
  await stop();
}
