import type { ComponentChildren } from 'preact';
import { isGone, type Reloading } from '../store/loaded.ts';
import { Failed, Skeleton } from './note.tsx';

interface LoadedProps<T> {
  readonly of: Reloading<T>;
  /** The height of the placeholder while nothing is read. */
  readonly height: number;
  /** The placeholder, where it is not one block. */
  readonly placeholder?: ComponentChildren;
  /** Stands between a failure and what was read, also while nothing is read. */
  readonly between?: ComponentChildren;
  /** Shown instead of a list without items. */
  readonly empty?: ComponentChildren;
  /** Shown instead of an object that the server does not have. */
  readonly gone?: (error: string) => ComponentChildren;
  readonly children?: (value: T) => ComponentChildren;
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'items' in value &&
  Array.isArray(value.items) &&
  value.items.length === 0;

/** What is read from the API: a placeholder until it is there, why it could not be read, and what was read. */
export function Loaded<T>({ of, height, placeholder, between, empty, gone, children }: LoadedProps<T>) {
  const { value, failed, readAt, reload } = of;
  if (gone !== undefined && failed !== null && isGone(failed)) return <>{gone(failed.error)}</>;
  return (
    <>
      <Failed failed={failed} readAt={readAt} retry={reload} />
      {between}
      {value === null && failed === null && (placeholder ?? <Skeleton height={height} />)}
      {value !== null && (empty !== undefined && isEmpty(value) ? empty : children?.(value))}
    </>
  );
}
