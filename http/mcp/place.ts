/** Where agents reach the server. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

export const loopback = ['localhost', '127.0.0.1', '[::1]', '::1'];

export const isLoopback = (host: string): boolean => loopback.includes(host) || host.startsWith('127.');

/** Reads `HOST:PORT`; null where it is none. */
export function placeOf(text: string): Place | null {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]]+):(\d{1,5})$/i.exec(text) ?? [];
  return host === '' || Number(port) > 65_535 ? null : { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}
