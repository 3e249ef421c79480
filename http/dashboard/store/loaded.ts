import { useEffect, useRef } from 'preact/hooks';
import type { StreamEvent } from '../../api.ts';
import { type Loaded, readerOf } from './reader.ts';

export type { Loaded } from './reader.ts';

/** Data that can be read again at once. */
export type Reloading<T> = Loaded<T> & { readonly reload: () => void };

/** Whether the server says that an object is not there. */
export const isGone = (failed: Loaded<unknown>['failed']): boolean => failed?.is === 'refused' && failed.status === 404;

const none: Reloading<never> = { value: null, failed: null, readAt: null, reload: () => {} };

/** Reads a path, if there is one: now, after every event that concerns it, and after missed events. */
export function useLoaded<T>(path: string | null, concerns: (event: StreamEvent) => boolean): Reloading<T> {
  const reader = path === null ? null : readerOf<T>(path);
  const wanted = useRef(concerns);
  wanted.current = concerns;
  useEffect(() => reader?.follow((events) => events.some((event) => wanted.current(event))), [reader]);
  return reader ? { ...reader.loaded.value, reload: reader.reload } : none;
}
