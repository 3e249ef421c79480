import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, json } from './answer.ts';
import { mediaTypeOf, parseObject, readBody } from './body.ts';
import { type Call, isTrue, targetOf } from './call.ts';
import { discover, version } from './discovery.ts';
import type { Registry } from './kinds/registry.ts';
import { openapi } from './openapi/openapi.ts';
import type { PodLogs } from './podLogs.ts';
import { methodNotAllowed, noSuchPath } from './status.ts';
import type { ApiStore } from './store/store.ts';
import { podLog } from './verbs/log.ts';
import { getObject, listObjects } from './verbs/read.ts';
import { deleteObject, deleteObjects } from './verbs/remove.ts';
import { watchObjects } from './verbs/watch.ts';
import { createObject, patchObject, replaceObject } from './verbs/write.ts';

/** What the API answers from. */
export interface Backing {
  readonly store: ApiStore;
  readonly registry: Registry;
  readonly podLogs: PodLogs;
}

export const isHealthPath = (path: string) => /^\/(healthz|livez|readyz)(\/|$)/.test(path);

/** Answers one request of somebody who may do everything. */
export async function route(
  { store, registry, podLogs }: Backing,
  request: IncomingMessage,
  response: ServerResponse,
  warn: Call['warn'],
): Promise<Answer> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'https://localhost');
  const accept = request.headers.accept ?? '';
  if (isHealthPath(pathname)) return { code: 200, text: 'ok', mediaType: 'text/plain; charset=utf-8' };
  if (pathname === '/version') return json(version);
  const document = openapi(pathname, accept, registry) ?? discover(pathname, accept, registry);
  if (document) return document;
  if (pathname.startsWith('/apis/authorization.k8s.io/v1/')) return accessReview(request);
  const target = targetOf(pathname, registry);
  if (!target) throw noSuchPath();
  return perform({ ...target, store, registry, request, response, query, warn }, podLogs);
}

function perform(call: Call, podLogs: PodLogs): Answer | Promise<Answer> {
  const { name, query, subresource, request } = call;
  if (subresource === 'log') {
    if (request.method !== 'GET') throw methodNotAllowed();
    return podLog(call, podLogs);
  }
  switch (request.method) {
    case 'GET':
      if (isTrue(query.get('watch'))) return watchObjects(call);
      return name === null ? listObjects(call) : getObject(call);
    case 'POST':
      return createObject(call);
    case 'PUT':
      return replaceObject(call);
    case 'PATCH':
      return patchObject(call);
    case 'DELETE':
      return name === null ? deleteObjects(call) : deleteObject(call);
    default:
      throw methodNotAllowed();
  }
}

/** Whoever has the token may do everything. */
async function accessReview(request: IncomingMessage): Promise<Answer> {
  if (request.method !== 'POST') throw methodNotAllowed();
  const review = parseObject(await readBody(request), mediaTypeOf(request));
  return json({ ...review, status: { allowed: true } }, 201);
}
