import type { IncomingMessage } from 'node:http';
import { type Answer, Refusal } from './answer.ts';
import type { AccessChecks } from './credentials.ts';
import { type RepositoryName, repositoryName } from './names.ts';

/** One request for a route. */
export interface Call {
  readonly request: IncomingMessage;
  readonly url: URL;
  /** The decoded part of the path for a parameter of the route. */
  readonly part: (name: string) => string;
  readonly body: () => Promise<unknown>;
  /** The fields of a form. */
  readonly form: () => Promise<URLSearchParams>;
}

/** `:name` stands for one segment of the path. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly access: keyof AccessChecks;
  readonly run: (call: Call) => Answer | Promise<Answer>;
}

export interface Matched {
  readonly route: Route;
  readonly call: Call;
}

const maxBytes = 1_024 * 1_024;

/** The route of a request; throws a refusal when there is none. */
export function routed(routes: readonly Route[], request: IncomingMessage, url: URL): Matched {
  const segments = url.pathname.split('/').map(decoded);
  for (const route of routes) {
    const parts = route.method === request.method ? partsOf(route.path.split('/'), segments) : null;
    if (parts === null) continue;
    const form = async () => new URLSearchParams(await textOf(request));
    const call = { request, url, part: (name: string) => parts.get(name) ?? '', body: () => jsonOf(request), form };
    return { route, call };
  }
  throw new Refusal(404);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, 'the path is not encoded as UTF-8');
  }
}

function partsOf(pattern: readonly string[], segments: readonly string[]): ReadonlyMap<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const parts = new Map<string, string>();
  for (const [index, name] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (name.startsWith(':')) parts.set(name.slice(1), segment);
    else if (name !== segment) return null;
  }
  return parts;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Refusal(413, 'the body is larger than 1 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const text = await textOf(request);
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'Problems parsing JSON');
  }
}

/** The repository that `:owner` and `:repo` name. */
export function repositoryIn({ part }: Call): RepositoryName {
  const found = repositoryName(part('owner'), part('repo'));
  if (found === null) throw new Refusal(404);
  return found;
}
