import { IncomingMessage } from 'node:http';

/** The addresses that take a WebSocket. */
const socketPath = /^\/api(\/v1)?\/(apps\/[^/]+\/console\/ws|object-stores\/[^/]+\/console\/stream)\/?$/;
export const isSocketPath = (path: string): boolean => socketPath.test(path);

/** Whether a request asks to become a WebSocket. */
export const asksForSocket = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  /\bwebsocket\b/i.test(headers.upgrade ?? '');

const pathOf = (target: string): string => {
  const path = target.replace(/^https?:\/\/[^/]*/i, '');
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
};

const upgrading = new WeakSet<IncomingMessage>();

/**
 * A request that is an upgrade only where one is served. With a listener for upgrades Node hands it every request that
 * offers one and reads no body of it, although RFC 9110 (7.8) lets a server ignore the offer: curl offers `h2c` with
 * ordinary requests.
 */
export class UpgradableRequest extends IncomingMessage {
  get upgrade(): boolean {
    if (!upgrading.has(this)) return false;
    if (this.method === 'CONNECT') return true;
    return this.method === 'GET' && asksForSocket(this) && isSocketPath(pathOf(this.url ?? ''));
  }
  /** Set by the parser before the headers are read. */
  set upgrade(offered: boolean | null) {
    if (offered === true) upgrading.add(this);
  }
}
