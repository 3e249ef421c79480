import { isTrue, partsOf } from '../url.ts';
import { verbOfMethod } from '../verbs/method.ts';

/** What is asked for, as rules speak of it: a resource, or a path that is none. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly is: 'resource';
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for a cluster-scoped resource and for all namespaces. */
  readonly namespace: string;
  readonly name: string;
}

export interface PathAttributes {
  readonly is: 'path';
  readonly verb: string;
  readonly path: string;
}

const verbOf: Readonly<Record<string, string>> = { ...verbOfMethod, HEAD: 'get' };

/** What a request asks for. */
export function attributesOf(method: string, path: string, query: URLSearchParams): Attributes {
  const parts = partsOf(path);
  if (!parts) return { is: 'path', verb: method.toLowerCase(), path };
  const { group, rest } = parts;
  const [resource = '', given = '', subresource = ''] = rest;
  const verb = verbOf[method] ?? '';
  // A namespace is inside of itself.
  const namespace = parts.namespace ?? (group === '' && resource === 'namespaces' ? given : '');
  const isOne = given !== '';
  const selects = !isOne && (verb === 'get' || verb === 'delete');
  return {
    is: 'resource',
    verb: selects ? verbOfMany(verb, query) : verb,
    group,
    resource,
    subresource,
    namespace,
    name: selects ? selectedName(query) : given,
  };
}

function verbOfMany(verb: 'get' | 'delete', query: URLSearchParams): string {
  if (verb === 'delete') return 'deletecollection';
  return isTrue(query.get('watch')) ? 'watch' : 'list';
}

/** A list of the one object that a field selector names may be allowed by its name. */
function selectedName(query: URLSearchParams): string {
  const found = /(?:^|,)metadata\.name==?([^,=!]+)(?:,|$)/.exec(query.get('fieldSelector') ?? '');
  return found?.[1] ?? '';
}

const quoted = (text: string) => JSON.stringify(text);

/** What a user may not do, in the words of the API. */
export function refusalText(user: string, asked: Attributes): string {
  const who = `User ${quoted(user)} cannot ${asked.verb}`;
  if (asked.is === 'path') return escaped(`${who} path ${quoted(asked.path)}`);
  const { group, resource, subresource, namespace } = asked;
  const what = `resource ${quoted(subresource === '' ? resource : `${resource}/${subresource}`)}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quoted(namespace)}`;
  return escaped(`${who} ${what} in API group ${quoted(group)} ${where}`);
}

/** No answer may be taken for HTML. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
