import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { makeClient } from '../../../http/apiClient/client.ts';
import { makeTransport } from '../../../http/apiClient/transport.ts';
import { listen } from '../../../http/mcp/listen.ts';
import type { Allowed } from '../../../http/mcp/offered.ts';
import type { Api } from '../../../http/mcp/tool.ts';
import { tools } from '../../../http/mcp/tools/all.ts';
import type { Served } from '../served.ts';

export const everything: Allowed = { readOnly: false, deletion: true };

/** An agent that has connected, as its library sees the server. */
export interface Agent {
  readonly names: () => Promise<readonly string[]>;
  /** Calls a tool: the object it answered with, or the text of its refusal. */
  readonly call: (name: string, args?: object) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** What a client of the protocol does. */
export const agentOf = (client: Client): Agent => ({
  names: async () => (await client.listTools()).tools.map(({ name }) => name).toSorted(),
  call: async (name, args = {}) => {
    const answer = await client.callTool({ name, arguments: { ...args } });
    const [first] = answer.content;
    return answer.isError === true ? (first as { readonly text: string }).text : answer.structuredContent;
  },
  close: () => client.close(),
});

export const newClient = (): Client => new Client({ name: 'an agent', version: '1' });

/** The agent server over HTTP, in front of a server of the API. */
export async function serveAgents(served: Served, allowed: Allowed = everything, host = '127.0.0.1') {
  const transport = makeTransport(new URL(served.url), {});
  const clientFor = (token: string) =>
    makeClient({ address: served.url, token, agent: 'core/spec', env: {}, transport });
  const { address, stop } = await listen({
    host,
    port: 0,
    allowed,
    names: ['agents.example'],
    now: served.now,
    clientFor,
  });
  const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${address.port}/mcp`;
  return {
    url,
    stop: async () => {
      await stop();
      transport.close();
    },
    connect: async (token: string): Promise<Agent> => {
      const client = newClient();
      const headers = { authorization: `Bearer ${token}` };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      return agentOf(client);
    },
  };
}

/** What a tool asks of an API that answers everything with the same. */
export async function askedBy(name: string, args: object, answer: unknown) {
  const asked: string[] = [];
  const api: Api = {
    ask: (method, path, { query = {}, body } = {}) => {
      asked.push(`${method} ${path} ${JSON.stringify({ ...query, ...(body as object | undefined) })}`);
      return Promise.resolve(answer);
    },
    text: () => Promise.resolve(''),
  };
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return { told: await tool.run(api, { ...args }), asked };
}
