import { useEffect, useRef } from 'preact/hooks';
import type { StreamEvent } from '../../api.ts';
import type { TypedPath } from '../model/routeAnswers.ts';
import { type Loaded, readerOf } from './reader.ts';

export type { Loaded } from './reader.ts';

/** Data that can be read again at once. */
export type Reloading<T> = Loaded<T> & { readonly reload: () => void };

/** Whether the server says that an object is not there. */
export const isGone = (failed: Loaded<unknown>['failed']): boolean => failed?.is === 'refused' && failed.status === 404;

const none: Reloading<never> = { value: null, failed: null, readAt: null, reload: () => {} };

/**
 * Reads a path, if there is one: now, after every event that concerns it, and after missed events. What is large is
 * read at a pace.
 */
export function useLoaded<T>(
  path: TypedPath<T> | null,
  concerns: (event: StreamEvent) => boolean,
  paceMs?: number,
): Reloading<T> {
  const reader = path === null ? null : readerOf(path);
  const wanted = useRef(concerns);
  wanted.current = concerns;
  useEffect(
    () =>
      reader?.follow({
        concerns: (events) => events.some((event) => wanted.current(event)),
        ...(paceMs === undefined ? {} : { paceMs }),
      }),
    [reader, paceMs],
  );
  return reader ? { ...reader.loaded.value, reload: reader.reload } : none;
}
