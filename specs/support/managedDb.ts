import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv, type ValidateFunction } from 'ajv';
import { provider, type ProviderRequest, type ProviderResponse } from '../../runtime/local/managedDb/provider.ts';
import { providerState, type ProviderState } from '../../runtime/local/managedDb/state.ts';

const contract = new URL('../../../shared/contracts/managed-db-v1.json', import.meta.url);

/** Why the published API cannot be read here; null where it can. */
export const noContract: string | null = existsSync(contract) ? null : "the provider's published API is not here";

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: object;
}
interface Operation {
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly schema?: object }>>;
}
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly definitions: object;
}

/** Null stands for a field without a value, which the published types do not say. */
function nullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(nullable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const fields = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, nullable(value)]));
  const { type, enum: choices } = fields as { readonly type?: unknown; readonly enum?: unknown };
  return {
    ...fields,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...(Array.isArray(choices) ? { enum: [...(choices as readonly unknown[]), null] } : {}),
  };
}

/** The operations of the published API, each with what its requests and responses are held to. */
function operations() {
  const { paths, definitions } = JSON.parse(readFileSync(contract, 'utf8')) as Contract;
  const ajv = new Ajv({ strict: false, allErrors: true });
  const compile = (schema: object, isAnswer: boolean): ValidateFunction =>
    ajv.compile({
      ...((isAnswer ? nullable(schema) : schema) as object),
      definitions: nullable(definitions) as object,
    });
  return Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, { parameters, responses }]) => {
      const body = parameters.find((one) => one.in === 'body')?.schema;
      return {
        method: method.toUpperCase(),
        parts: path.slice(1).split('/'),
        query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
        body: body ? compile(body, false) : null,
        answers: Object.fromEntries(
          Object.entries(responses).map(([status, { schema }]) => [status, schema ? compile(schema, true) : null]),
        ),
      };
    }),
  );
}

type Operations = ReturnType<typeof operations>;

const findIn = (all: Operations, { method, path }: ProviderRequest) =>
  all.find(
    (one) =>
      one.method === method &&
      one.parts.length === path.length + 1 &&
      one.parts.every((part, at) => part.startsWith('{') || part === (at === 0 ? 'organizations' : path[at - 1])),
  );

const errorsOf = (validate: ValidateFunction, value: unknown): readonly string[] =>
  validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);

/** What of a request the published API does not know. */
function unknownIn(found: Operations[number] | undefined, asked: ProviderRequest): readonly string[] {
  if (!found) return [`${asked.method} ${asked.path.join('/')} is no operation`];
  const strange = [...asked.query.keys()].filter((name) => !found.query.includes(name));
  const hasBody = Object.keys(asked.body).length > 0;
  const inBody = found.body ? (hasBody || asked.method === 'POST' ? errorsOf(found.body, asked.body) : []) : [];
  return [
    ...strange.map((name) => `query ${name} is unknown`),
    ...inBody,
    ...(hasBody && !found.body ? ['a body'] : []),
  ];
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
};

/** What is done with a request in place of answering it. */
export type ProviderFault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'silence'
  | 'reset'
  | 'loseAnswer';

/** The simulated provider, held to the published API in both directions: what that does not know is refused. */
export async function startProvider(now: () => number = Date.now) {
  const all = operations();
  const state: ProviderState = providerState(null);
  const answer = provider(state, now);
  const requests: string[] = [];
  const violations: string[] = [];
  const faults: (ProviderFault | null)[] = [];
  const answered = (asked: ProviderRequest): ProviderResponse => {
    const found = findIn(all, asked);
    const unknown = unknownIn(found, asked);
    if (!found || unknown.length > 0) {
      violations.push(...unknown);
      return { status: 400, body: { code: 'bad_request', message: unknown.join('; ') } };
    }
    const given = answer(asked);
    const schema = found.answers[String(given.status)];
    if (schema) violations.push(...errorsOf(schema, given.body).map((one) => `answer: ${one}`));
    return given;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    const url = new URL(request.url ?? '/', 'http://provider');
    requests.push(`${request.method} ${url.pathname.replace('/v1/organizations', '')}${url.search}`);
    const fault = faults.shift() ?? null;
    if (fault === 'silence') return;
    if (fault === 'reset') return void response.destroy();
    if (fault !== null && fault !== 'loseAnswer') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      return void response.end(fault.body ?? '{}');
    }
    const given = answered({
      method: request.method ?? 'GET',
      path: url.pathname.slice('/v1/organizations/'.length).split('/').map(decodeURIComponent),
      query: url.searchParams,
      token: request.headers.authorization ?? '',
      body: text === '' ? {} : (JSON.parse(text) as ProviderRequest['body']),
    });
    if (fault === 'loseAnswer') return void response.destroy();
    response.writeHead(given.status, { 'content-type': 'application/json' });
    response.end(given.body === undefined ? undefined : JSON.stringify(given.body));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    state,
    requests,
    violations,
    /** The next requests, as many as are given, are answered so. */
    fail: (...next: readonly (ProviderFault | null)[]) => void faults.push(...next),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;
