import type { StreamEvent } from '../../api.ts';
import type { SseMessage } from './sse.ts';

const names = [
  'hello',
  'move',
  'instance',
  'deleted',
  'change',
  'reset',
  'tick',
] as const satisfies StreamEvent['event'][];

/** The event of a message; null for one that this version does not know. */
export function decodeEvent({ event, data }: SseMessage): StreamEvent | null {
  if (!names.some((name) => name === event)) return null;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? ({ event, data: value } as StreamEvent) : null;
  } catch {
    return null;
  }
}
