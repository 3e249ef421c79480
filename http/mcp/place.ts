/** Where agents reach the server. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

export const loopback = ['localhost', '127.0.0.1', '[::1]', '::1'];

export const isLoopback = (host: string): boolean => loopback.includes(host) || host.startsWith('127.');

const everywhere = ['0.0.0.0', '::'];

/**
 * The names by which agents may ask for a host, as they stand in `Host` and `Origin`; null for any, where it listens at
 * every address of the machine, whose names nobody knows.
 */
export const namesOf = (host: string): readonly string[] | null =>
  everywhere.includes(host) ? null : [...loopback, host.includes(':') ? `[${host}]` : host.toLowerCase()];

/** Reads `HOST:PORT`; null where it is none. */
export function placeOf(text: string): Place | null {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]]+):(\d{1,5})$/i.exec(text) ?? [];
  return host === '' || Number(port) > 65_535 ? null : { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}
