import type { IncomingHttpHeaders } from 'node:http';
import { refused, Refusal } from '../refusal.ts';
import { type Algorithm, algorithms, checksumHeader } from './checksums.ts';

/** The announced checksums in the trailer. */
export function announcedIn(headers: IncomingHttpHeaders, payload: string): readonly Algorithm[] {
  const names = String(headers['x-amz-trailer'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > 0 && !payload.endsWith('-TRAILER'))
    throw new Refusal(400, 'InvalidRequest', 'A trailer is announced in a body that has none');
  return names.map((name) => {
    const found = algorithms.find((one) => checksumHeader(one) === name);
    if (!found) throw refused.notServed(`the trailer ${name}`);
    return found;
  });
}

/** The checksums in the trailer, which must be exactly the announced ones. */
export function trailedIn(trailer: ReadonlyMap<string, string>, announced: readonly Algorithm[]) {
  const headers = new Set(announced.map(checksumHeader));
  const odd = [...headers].find((name) => !trailer.has(name)) ?? [...trailer.keys()].find((name) => !headers.has(name));
  if (odd !== undefined)
    throw new Refusal(
      400,
      'MalformedTrailerError',
      `The trailer ${odd} was announced and did not come, or the reverse`,
    );
  return new Map(announced.map((name) => [name, trailer.get(checksumHeader(name))]));
}
