import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type ApiClient, refusalText } from '../apiClient/client.ts';
import { ApiFailure } from '../apiClient/failure.ts';
import { version } from '../version.ts';
import { failureOf, resultOf } from './result.ts';
import type { Api, Tool } from './tool.ts';

/** The API for one call, which ends with it. */
const during = (client: ApiClient, signal: AbortSignal): Api => ({
  ask: (method, path, sending) => client.ask(method, path, { ...sending, signal }),
  text: async (path, sending) => {
    const answer = await client.exchange('GET', path, { ...sending, signal });
    if (answer.status >= 400) throw new ApiFailure(refusalText(answer, client.address), answer.status);
    return answer.text;
  },
});

const annotationsOf = ({ does }: Tool) => ({
  readOnlyHint: does === 'reads',
  destructiveHint: does === 'destroys',
  idempotentHint: does === 'reads',
  openWorldHint: false,
});

/** The schemas of a tool are made once: a server is made for every call over HTTP. */
const schemas = new WeakMap<Tool, ReturnType<typeof schemasOf>>();
const schemasOf = ({ input, output }: Tool) => ({
  inputSchema: z.strictObject(input),
  outputSchema: z.looseObject(output),
});
function keptSchemas(tool: Tool) {
  const kept = schemas.get(tool) ?? schemasOf(tool);
  schemas.set(tool, kept);
  return kept;
}

/** A server of the protocol that offers these tools, which ask with this client. */
export function serverOf(tools: readonly Tool[], client: ApiClient): McpServer {
  const server = new McpServer({ name: 'core', version }, { capabilities: { tools: {} } });
  for (const tool of tools)
    server.registerTool(
      tool.name,
      {
        description: tool.about,
        ...keptSchemas(tool),
        annotations: annotationsOf(tool),
      },
      async (args, { mcpReq: { signal } }) => {
        try {
          return resultOf(await tool.run(during(client, signal), args), tool.isForeign ?? false);
        } catch (error) {
          return failureOf(error);
        }
      },
    );
  return server;
}
