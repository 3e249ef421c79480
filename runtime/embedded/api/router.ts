import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenResponses } from '../openResponses.ts';
import type { Admission } from './admission/admission.ts';
import type { Answer } from './answer.ts';
import type { AccountTokens } from './authentication/accountTokens.ts';
import type { Authenticator } from './authentication/authenticator.ts';
import { type Call, isTrue, targetOf } from './call.ts';
import { discover } from './discovery.ts';
import { health, isHealthPath } from './health.ts';
import { deprecationOf } from './kinds/deprecation.ts';
import { checkCustomVerb } from './kinds/customVerbs.ts';
import type { InFlight } from './inFlight.ts';
import type { Json } from './json.ts';
import type { Registry } from './kinds/registry.ts';
import { type ResourceType, type Subresource, verbsOf } from './kinds/type.ts';
import { openapi } from './openapi/openapi.ts';
import type { Pace } from './pace.ts';
import type { PodLogs } from './podLogs.ts';
import type { PodUsage } from './podUsage.ts';
import { nothingThere } from './nothingThere.ts';
import { methodNotAllowed } from './status.ts';
import { standing } from './standing.ts';
import type { Address } from './url.ts';
import { verbOf } from './verbs/verb.ts';
import type { ApiStore } from './store/store.ts';
import { evictPod } from './verbs/evict.ts';
import { type Streaming, attachToPod, execInPod, forwardPort } from './verbs/exec.ts';
import { podLog } from './verbs/log.ts';
import { readUsage, usageGroup } from './verbs/usage.ts';
import { review } from './verbs/review.ts';
import { getObject, listObjects } from './verbs/read.ts';
import { deleteObject, deleteObjects } from './verbs/remove.ts';
import { watchObjects } from './verbs/watch.ts';
import type { YamlReader } from './yaml/reader.ts';
import { createObject, patchObject, replaceObject } from './verbs/write.ts';

/** What the API answers from. */
export interface Backing {
  readonly store: ApiStore;
  readonly registry: Registry;
  readonly admission: Admission;
  readonly podLogs: PodLogs;
  /** Null where nothing is read of what runs. */
  readonly podUsage: PodUsage | null;
  readonly streaming: Streaming;
  readonly authenticator: Authenticator;
  readonly tokens: AccountTokens;
  readonly keySet: Json;
  readonly yaml: YamlReader;
  readonly pace: Pace;
  readonly held: OpenResponses;
  readonly inFlight: InFlight;
  /** Where the API is reached, once it listens. */
  readonly url: () => string;
  readonly isStopping: () => boolean;
}

/** Answers one request that was let in. */
export async function route(
  backing: Backing,
  request: IncomingMessage,
  response: ServerResponse,
  { address, caller, sender, warn }: Pick<Call, 'caller' | 'sender' | 'warn'> & { readonly address: Address },
): Promise<Answer> {
  const { store, registry } = backing;
  const { path: pathname, query } = address;
  const accept = request.headers.accept ?? '';
  if (isHealthPath(pathname)) return health(pathname, query, backing);
  const told = standing(pathname, backing) ?? discover(pathname, accept, registry);
  if (told && request.method !== 'GET' && looksAtMethod(pathname, registry)) throw methodNotAllowed();
  const document = told ?? openapi(pathname, accept, registry);
  if (document) return document;
  const target = targetOf(pathname, registry);
  if (!target) throw nothingThere(pathname);
  // Field by field: what is spread costs more than all that led here.
  const { type, namespace, name, subresource } = target;
  const { admission, yaml, pace, held } = backing;
  const call = {
    type,
    namespace,
    name,
    subresource,
    store,
    registry,
    admission,
    request,
    response,
    query,
    caller,
    sender,
    yaml,
    pace,
    held,
    warn,
  };
  return perform(call, backing);
}

/** Lists of groups, and the discovery of a declared group, are served for every method. */
function looksAtMethod(path: string, registry: Registry): boolean {
  const [root, group, version] = path.split('/').filter((part) => part !== '');
  if (root !== 'apis') return true;
  return version !== undefined && registry.all().some((type) => type.group === group && type.custom === undefined);
}

/** The reviews can only be asked, and are kept nowhere. */
const isReview = ({ verbs }: ResourceType) => verbs?.every((verb) => verb === 'create') === true;

/** Subresources that are no part of their object. */
const others: Readonly<Partial<Record<Subresource, (call: Call, backing: Backing) => Answer | Promise<Answer>>>> = {
  log: (call, { podLogs }) => podLog(call, podLogs),
  exec: (call, { streaming }) => execInPod(call, streaming),
  attach: (call, { streaming }) => attachToPod(call, streaming),
  portforward: forwardPort,
  token: review,
  eviction: evictPod,
};

function perform(call: Call, backing: Backing): Answer | Promise<Answer> {
  const { subresource, type } = call;
  const deprecation = deprecationOf(type);
  if (deprecation !== null) call.warn(deprecation);
  checkCustomVerb(call, call.request.method ?? '');
  const isPlain = subresource === null && type.custom === undefined;
  if (isPlain && !isKnown(call)) throw methodNotAllowed();
  const other = subresource === null ? undefined : others[subresource];
  if (other) return other(call, backing);
  if (type.group === usageGroup && backing.podUsage) return readUsage(call, backing.podUsage);
  return isReview(type) ? review(call, backing) : performOnObjects(call);
}

/** What can be asked for at the path of a call; all namespaces at once can only be looked at. */
function isKnown(call: Call): boolean {
  const verb = verbOf(call);
  const isEverywhere = call.type.namespaced && call.namespace === '';
  if (call.name === null && (verb === 'update' || verb === 'patch')) return false;
  return verbsOf(call.type).includes(verb) && (!isEverywhere || verb === 'list' || verb === 'watch');
}

function performOnObjects(call: Call): Answer | Promise<Answer> {
  const { name, query, request } = call;
  switch (request.method) {
    case 'HEAD':
    case 'GET':
      if (name !== null) return getObject(call);
      return isTrue(query.get('watch')) ? watchObjects(call) : listObjects(call);
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
