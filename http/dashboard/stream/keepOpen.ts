import { backoffMs } from './backoff.ts';
import { openStream } from './openStream.ts';
import type { SseMessage } from './sse.ts';

/** How the stream stands. `signedOut` ends it until somebody signs in. */
export type Link =
  | { readonly is: 'connecting' }
  | { readonly is: 'live' }
  | { readonly is: 'reconnecting'; readonly attempt: number; readonly why: string }
  | { readonly is: 'hidden' }
  | { readonly is: 'signedOut' };

interface Kept {
  readonly path: string;
  readonly lastId: () => string;
  readonly signal: AbortSignal;
  /** Tells `online`. */
  readonly network: EventTarget;
  readonly onLink: (link: Link) => void;
  readonly onMessage: (message: SseMessage) => void;
}

/** Waits, but not past the signal and not past the moment the network comes back. */
const pause = (ms: number, signal: AbortSignal, network: EventTarget) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      network.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    network.addEventListener('online', done);
  });

/** Keeps a stream open until the signal, each time from the last id on. */
export async function keepOpen({ path, lastId, signal, network, onLink, onMessage }: Kept): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const end = await openStream({
      path,
      lastId: lastId(),
      signal,
      onOpen: () => onLink({ is: 'live' }),
      // A server that opens and ends at once must not be asked twice a second for ever: only a message is a success.
      onMessage: (message) => {
        failures = 0;
        onMessage(message);
      },
    });
    if (signal.aborted) return;
    if (end.is === 'refused' && end.status === 401) return onLink({ is: 'signedOut' });
    failures += 1;
    const why = end.is === 'ok' ? 'The server closed the stream' : end.error;
    onLink({ is: 'reconnecting', attempt: failures, why });
    await pause(backoffMs(failures, Math.random()), signal, network);
  }
}
