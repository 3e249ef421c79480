import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type ApiClient, refusalText } from '../apiClient/client.ts';
import { ApiFailure } from '../apiClient/failure.ts';
import { version } from '../version.ts';
import { listedSchemas } from './listedSchemas.ts';
import { failureOf, resultOf, type ToolResult, wrongArguments } from './result.ts';
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

const annotationsOf = ({ title, does, isIdempotent, isOpenWorld }: Tool) => ({
  // Agents before 2025 read it here alone.
  title,
  readOnlyHint: does === 'reads',
  destructiveHint: does === 'destroys',
  idempotentHint: does === 'reads' || isIdempotent === true,
  openWorldHint: isOpenWorld === true,
});

/** What is made of a tool once: a server is made for every call over HTTP. */
function once<T>(make: (tool: Tool) => T): (tool: Tool) => T {
  const cache = new WeakMap<Tool, T>();
  return (tool) => {
    const one = cache.get(tool) ?? make(tool);
    cache.set(tool, one);
    return one;
  };
}
const inputOf = once(({ input }) => z.strictObject(input));
const outputOf = once(({ output }) => z.looseObject(output));
const schemasOf = ({ name }: Tool) => {
  const schemas = listedSchemas[name];
  if (schemas === undefined) throw new Error(`the tool ${name} is not among all tools`);
  return schemas;
};
const description = (tool: Tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.about,
  annotations: annotationsOf(tool),
  ...schemasOf(tool),
});

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** Calls a tool. A refusal by its schemas, or by the API, is in the result. */
async function called(tool: Tool, given: unknown, client: ApiClient, signal: AbortSignal): Promise<ToolResult> {
  const args = inputOf(tool).safeParse(given ?? {});
  if (!args.success) return wrongArguments(tool.name, args.error.issues);
  try {
    const result = resultOf(await tool.run(during(client, signal), args.data), tool);
    if (outputOf(tool).safeParse(result.structuredContent).success) return result;
    throw new ApiFailure(
      `${client.address} answered in another shape than this program knows: is it of another version?`,
    );
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * A server of the protocol that offers these tools, which ask with this client. Built on the plain server, for the
 * library's own register of tools is made anew, schema by schema, at every call.
 */
export function serverOf(tools: readonly Tool[], client: ApiClient): Server {
  const server = new Server({ name: 'core', version }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', ({ params }) => {
    // The list is whole, so that no cursor was given.
    if (params?.cursor !== undefined) throw invalid('unknown cursor: all tools are listed at once');
    return { tools: tools.map(description) };
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw invalid(`Tool ${params.name} not found`);
    const result = await called(tool, params.arguments, client, signal);
    return server.projectCallToolResult(result, schemasOf(tool).outputSchema);
  });
  return server;
}
