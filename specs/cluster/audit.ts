import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

interface Entry {
  readonly verb: string;
  readonly requestURI: string;
  readonly requestReceivedTimestamp: string;
  readonly responseStatus?: { readonly code?: number };
}

/** A moment in the audit log. */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The lease of the leader, which is renewed for ever. */
const isLease = ({ requestURI }: Entry) => requestURI.includes('/leases/core-operator');

/** What Core's accounts changed since a moment, but for the lease of the leader. */
export function writesSince(path: string, moment: number): readonly string[] {
  return textSince(path, moment)
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Entry)
    .filter((entry) => !isLease(entry))
    .map(({ verb, requestURI, requestReceivedTimestamp: at, responseStatus }) =>
      [at.slice(11, 19), verb, requestURI.replace(/\?.*/, ''), responseStatus?.code].join(' '),
    );
}

function textSince(path: string, moment: number): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - moment));
    readSync(file, bytes, 0, bytes.length, moment);
    return bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
}
