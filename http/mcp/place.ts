/** Where agents reach the server. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

const loopback = ['localhost', '127.0.0.1', '[::1]', '::1'];

export const isLoopback = (host: string): boolean => loopback.includes(host) || host.startsWith('127.');

const everywhere = ['0.0.0.0', '::'];

/** The name or address of a host as in `Host` and `Origin`; null for anything else. */
export function hostOf(text: string): string | null {
  const host = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
  const isHost = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)$/i.test(host) && URL.canParse(`http://${host}`);
  return isHost ? new URL(`http://${host}`).hostname : null;
}

/** The names by which agents may ask for what listens at a host, also by the address at which a request came in. */
export function namesOf(host: string, local = ''): readonly string[] {
  const address = local.replace(/^::ffff:(?=\d+\.)/, '');
  const own = [everywhere.includes(host) ? '' : host, address].flatMap((one) => hostOf(one) ?? []);
  return [...new Set([...loopback, ...own])];
}

/** Reads `HOST:PORT`; null where it is none. */
export function placeOf(text: string): Place | null {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]]+):(\d{1,5})$/i.exec(text) ?? [];
  return host === '' || Number(port) > 65_535 ? null : { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}
