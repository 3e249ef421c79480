import type { Client } from '@modelcontextprotocol/client';
import { type Agent, agentOf } from './given.ts';

/** How a server is started that speaks over its input and output. */
interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** As much as is used of the library of agents before 2026; its client has the methods of today's. */
interface Library {
  readonly Client: new (is: { readonly name: string; readonly version: string }) => Client;
  readonly StreamableHTTPClientTransport: new (
    url: URL,
    options: { readonly requestInit: { readonly headers: Readonly<Record<string, string>> } },
  ) => Parameters<Client['connect']>[0];
  readonly StdioClientTransport: new (
    server: Started & { readonly stderr: 'ignore' },
  ) => Parameters<Client['connect']>[0];
}

const name = '@modelcontextprotocol/sdk/client';

async function load(): Promise<Library | null> {
  try {
    const parts = await Promise.all(
      ['index', 'streamableHttp', 'stdio'].map((part) => import(`${name}/${part}.js`) as Promise<Partial<Library>>),
    );
    return Object.assign({}, ...parts) as Library;
  } catch {
    // It brings some hundred packages, so that it is installed by hand: npm install --no-save @modelcontextprotocol/sdk
    return null;
  }
}

/** Agents of the older library; null where it is not installed. */
export async function olderAgents() {
  const library = await load();
  if (library === null) return null;
  const connected = async (transport: Parameters<Client['connect']>[0]): Promise<Agent> => {
    const client = new library.Client({ name: 'an older agent', version: '1' });
    await client.connect(transport);
    return agentOf(client);
  };
  return {
    overHttp: (url: string, token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return connected(new library.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    },
    overInput: (server: Started) => connected(new library.StdioClientTransport({ ...server, stderr: 'ignore' })),
  };
}
