import { EvaluationError, Opaque } from '../evaluate/values.ts';
import type { Functions } from './signature.ts';

interface Parts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** A URL that is absolute, or the path of one. */
class Url extends Opaque {
  override readonly typeName = 'kubernetes.URL';
  readonly text: string;
  readonly parts: Parts;
  constructor(text: string, parts: Parts) {
    super();
    this.text = text;
    this.parts = parts;
  }
  override equals(other: Opaque): boolean {
    return other instanceof Url && other.text === this.text;
  }
}

/** A URL, or why a text is none. */
export function parseUrl(text: string): Url | string {
  const [, scheme = '', behind = text] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(text) ?? [];
  const [rest = ''] = behind.split('#');
  const [front = '', ...queries] = rest.split('?');
  const [, authority = '', path = front] = (scheme === '' ? null : /^\/\/([^/]*)(.*)$/s.exec(front)) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const fault = beginningFault(text, scheme, behind) ?? escapeFault(front) ?? hostFault(host);
  if (fault !== null) return `parse ${JSON.stringify(text)}: ${fault}`;
  return new Url(text, { scheme: scheme.toLowerCase(), host, path, query: queries.join('?') });
}

function beginningFault(text: string, scheme: string, behind: string): string | null {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '') return 'empty url';
  if (text.startsWith(':')) return 'missing protocol scheme';
  return scheme !== '' || behind.startsWith('/') ? null : 'invalid URI for request';
}

function escapeFault(front: string): string | null {
  const bad = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(front)?.[0];
  return bad === undefined ? null : `invalid URL escape ${JSON.stringify(bad)}`;
}

function hostFault(host: string): string | null {
  const [, port] = /^(?:\[[^\]]*\]|[^:]*)(:.*)?$/s.exec(host) ?? [undefined, host.slice(host.indexOf(':'))];
  if (host.startsWith('[') && !host.includes(']')) return "missing ']' in host";
  if (port !== undefined && !/^:\d*$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  const bad = /[ "<>\\^`{|}]/.exec(host)?.[0];
  return bad === undefined ? null : `invalid character ${JSON.stringify(bad)} in host name`;
}

function urlOf(text: string): Url {
  const found = parseUrl(text);
  if (typeof found === 'string') throw new EvaluationError(`URL parse error during conversion from string: ${found}`);
  return found;
}

const withoutPort = (host: string) => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');

/** A path as it is written, with what may not stand in one escaped. */
const escaped = (path: string) => path.replace(/[^\w\-.~!$&'()*+,;=:@/%[\]]/gu, encodeURIComponent);

function queryOf({ parts }: Url) {
  const found = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(parts.query)) found.set(name, [...(found.get(name) ?? []), value]);
  return found;
}

/** Functions over URLs. */
export const urls: Functions = {
  'url(string): kubernetes.URL': urlOf,
  'isURL(string): bool': (text: string) => typeof parseUrl(text) !== 'string',
  'kubernetes.URL.getScheme(): string': ({ parts }: Url) => parts.scheme,
  'kubernetes.URL.getHost(): string': ({ parts }: Url) => parts.host,
  'kubernetes.URL.getHostname(): string': ({ parts }: Url) => withoutPort(parts.host),
  'kubernetes.URL.getPort(): string': ({ parts }: Url) => /:(\d+)$/.exec(parts.host)?.[1] ?? '',
  'kubernetes.URL.getEscapedPath(): string': ({ parts }: Url) => escaped(parts.path),
  'kubernetes.URL.getQuery(): map<string, list<string>>': queryOf,
};
