import type { IncomingMessage } from 'node:http';
import { StatusError } from '../status.ts';

/** The first byte of every message says which stream it belongs to. */
export const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** The subprotocols spoken, the best first; only v5 can signal that a stream was closed. */
const spoken = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;
export type Subprotocol = (typeof spoken)[number];

/** Whether a client of this subprotocol signals that it closed a stream. */
export const canClose = (protocol: string): boolean => protocol === 'v5.channel.k8s.io';

/** The subprotocol to speak with a client that asks to upgrade its connection. */
export function subprotocolOf(request: IncomingMessage): Subprotocol {
  const upgrade = (request.headers.upgrade ?? '').toLowerCase();
  if (upgrade === '') throw new StatusError(400, 'BadRequest', 'Upgrade request required');
  if (upgrade !== 'websocket')
    throw new StatusError(
      501,
      'NotImplemented',
      `streaming by ${upgrade.toUpperCase()} is not served here, only by WebSocket with ${spoken.join(' or ')}`,
    );
  const offered = (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const chosen = spoken.find((name) => offered.includes(name));
  if (chosen) return chosen;
  throw new StatusError(
    403,
    'Forbidden',
    `requested protocol(s) are not supported: [${offered.join(' ')}]; supports [${spoken.join(' ')}]`,
  );
}
