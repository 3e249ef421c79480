import { backoffMs } from './backoff.ts';
import { openStream } from './openStream.ts';
import type { SseMessage } from './sse.ts';

/** The state of the stream. `signedOut` is final until somebody signs in. */
export type Link =
  | { readonly is: 'connecting' }
  | { readonly is: 'live' }
  | { readonly is: 'reconnecting'; readonly attempt: number; readonly why: string }
  | { readonly is: 'hidden' }
  | { readonly is: 'signedOut' };

interface KeepOpenOptions {
  readonly path: string;
  readonly lastId: () => string;
  readonly signal: AbortSignal;
  /** Emits `online`. */
  readonly network: EventTarget;
  readonly onLink: (link: Link) => void;
  readonly onMessage: (message: SseMessage) => void;
}

/** Waits until the time is over, the signal aborts or the network comes back. */
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

/** Keeps a stream open until the signal aborts, and resumes from the last id. */
export async function keepOpen({ path, lastId, signal, network, onLink, onMessage }: KeepOpenOptions): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const end = await openStream({
      path,
      lastId: lastId(),
      signal,
      onOpen: () => onLink({ is: 'live' }),
      // A server that accepts and closes at once must not be called twice a second forever: only a message counts as
      // success.
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
