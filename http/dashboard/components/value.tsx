import type { ComponentChildren } from 'preact';
import { mayReadSensitive } from '../store/session.ts';

/** Shown where the API leaves a value out because of the reader's role. */
export const Hidden = () => <span class="muted">Hidden from your role</span>;

/** Shown where there is no value yet. */
export const NoneYet = () => <span class="muted">none yet</span>;

interface ValueProps<T> {
  readonly value: T | undefined;
  /** Whether redacted copies omit or empty the field: then its absence means nothing (document 002, Roles). */
  readonly redacted?: boolean;
  readonly children: (value: T) => ComponentChildren;
}

/** A value from the API; without one, whether the role hides it or there is none yet. */
export function Value<T>({ value, redacted = false, children }: ValueProps<T>) {
  if (value !== undefined && value !== '') return <>{children(value)}</>;
  return redacted && !mayReadSensitive() ? <Hidden /> : <NoneYet />;
}
