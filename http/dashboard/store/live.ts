import { batch, signal } from '@preact/signals';
import type { StreamEvent } from '../../api.ts';
import { api } from '../api.ts';
import { decodeEvent } from '../stream/decode.ts';
import type { Link } from '../stream/keepOpen.ts';
import { knownIds } from '../stream/knownIds.ts';
import { shareStream } from '../stream/share.ts';
import type { SseMessage } from '../stream/sse.ts';
import { setServerTime } from './clock.ts';

/** The state of the event stream. */
export const link = signal<Link>({ is: 'connecting' });

/** When the stream last sent anything, by the browser's clock; 0 for never. */
export const lastHeard = signal(0);

/** Increases whenever events may have been missed and everything shown has to be reloaded. */
export const missed = signal(0);

type Listener = (events: readonly StreamEvent[]) => void;
const listeners = new Set<Listener>();

/** Calls back with events, in batches; returns a function that stops it. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const paintEveryMs = 150;
let waiting: StreamEvent[] = [];
let flushing: ReturnType<typeof setTimeout> | null = null;
let flushedAt = -Infinity;

/** Batches events, so that a thousand moves a second cause only a few paints; a single one waits for nothing. */
function flush(): void {
  flushing = null;
  flushedAt = performance.now();
  const events = waiting;
  waiting = [];
  batch(() => {
    for (const listener of listeners) listener(events);
  });
}

function take(event: StreamEvent): void {
  if (event.event === 'hello' || event.event === 'tick') setServerTime(event.data.now);
  if (event.event === 'reset' || (event.event === 'hello' && !event.data.resumed)) missed.value += 1;
  waiting.push(event);
  flushing ??= setTimeout(flush, Math.max(0, flushedAt + paintEveryMs - performance.now()));
}

/** Opens the event stream; returns a function that closes it. */
export function startLive(): () => void {
  const isNew = knownIds(20_000);
  const onMessage = (message: SseMessage) => {
    lastHeard.value = Date.now();
    const event = decodeEvent(message);
    if (!event) return;
    if (event.event === 'move' && !isNew(message.id)) return;
    take(event);
  };
  return shareStream({
    path: api.events,
    onLink: (next) => (link.value = next),
    onMessage,
    onGap: () => (missed.value += 1),
  });
}
