import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/** Names and values in turn, as they came. */
type Raw = readonly string[];

/** What is said to the next one on the way only. */
const ofHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
]);

const pairsOf = (raw: Raw) =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? ''] as const);

const flat = (pairs: readonly (readonly [string, string])[]): string[] => pairs.flat();

/** The headers of an answer as they are passed on. */
export const answered = (raw: Raw): string[] => flat(pairsOf(raw).filter(([name]) => !ofHop.has(name.toLowerCase())));

/** The headers of a request as they are passed on: with who asked, and how. */
export function asked(request: IncomingMessage): string[] {
  const { headers, method = 'GET' } = request;
  const kept = pairsOf(forwarded(request)).filter(([name]) => !ofHop.has(name.toLowerCase()));
  if (headers['transfer-encoding'] !== undefined) return flat([...kept, ['Transfer-Encoding', 'chunked']]);
  const lacksLength = headers['content-length'] === undefined && !['GET', 'HEAD', 'OPTIONS'].includes(method);
  return flat(lacksLength ? [...kept, ['Content-Length', '0']] : kept);
}

/**
 * The headers of a request with the addresses that it came by. Who asks is on this machine: what another proxy there
 * says of the visitor is kept.
 */
export function forwarded({ rawHeaders, headers, socket }: IncomingMessage): string[] {
  const from = [headers['x-forwarded-for'], socket.remoteAddress].flat().filter(Boolean).join(', ');
  const said: readonly (readonly [string, string])[] = [
    ['X-Forwarded-For', from],
    ['X-Forwarded-Proto', String(headers['x-forwarded-proto'] ?? (socket instanceof TLSSocket ? 'https' : 'http'))],
    ['X-Forwarded-Host', String(headers['x-forwarded-host'] ?? headers.host ?? '')],
  ];
  const names = new Set(said.map(([name]) => name.toLowerCase()));
  return flat([...pairsOf(rawHeaders).filter(([name]) => !names.has(name.toLowerCase())), ...said]);
}

/** Whether a request may be sent a second time: it changes nothing more by that, and its body is not gone. */
export const isRepeatable = ({ method = '', headers }: IncomingMessage): boolean =>
  ['GET', 'HEAD', 'OPTIONS'].includes(method) &&
  headers['transfer-encoding'] === undefined &&
  (headers['content-length'] ?? '0') === '0';
