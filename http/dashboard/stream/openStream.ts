import { type ApiResult, refusalOf } from '../api.ts';
import { type SseMessage, sseParser } from './sse.ts';

/** The server sends something every 15 s; a stream that is silent for longer than this is lost. */
export const silenceMs = 35_000;

interface StreamRequest {
  readonly path: string;
  readonly lastId: string;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onMessage: (message: SseMessage) => void;
  readonly limitMs?: number;
}

/** Why a stream ended. */
export type StreamEnd = ApiResult<null>;

const lost = (error: string): StreamEnd => ({ is: 'unreachable', error });

/** Reads one stream of server-sent events to its end; never throws. */
export async function openStream(asked: StreamRequest): Promise<StreamEnd> {
  const { path, lastId, signal, onOpen, onMessage, limitMs = silenceMs } = asked;
  const own = new AbortController();
  const abort = () => own.abort();
  if (signal.aborted) return lost('closed');
  signal.addEventListener('abort', abort);
  let watchdog = setTimeout(abort, limitMs);
  const heard = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(abort, limitMs);
  };
  try {
    const response = await fetch(path, {
      headers: { accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }) },
      cache: 'no-store',
      credentials: 'same-origin',
      signal: own.signal,
    });
    if (!response.ok) return await refusalOf(response);
    if (!response.body) return lost('The stream is empty');
    onOpen();
    const parse = sseParser(onMessage);
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { is: 'ok', value: null };
      heard();
      parse(decoder.decode(value, { stream: true }));
    }
  } catch {
    return lost('The stream broke off');
  } finally {
    clearTimeout(watchdog);
    signal.removeEventListener('abort', abort);
    own.abort();
  }
}
