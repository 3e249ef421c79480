import type { ComponentChildren } from 'preact';
import { mayReadSensitive } from '../store/session.ts';

/** Stands where the API leaves something out because of who reads. */
export const Hidden = () => <span class="muted">hidden from your role</span>;

/** Stands where there is nothing yet. */
export const NoneYet = () => <span class="muted">none yet</span>;

interface ToldProps<T> {
  readonly value: T | undefined;
  /** Whether redacted copies leave it out, or empty: then nothing is told by its absence (document 002, Roles). */
  readonly redacted?: boolean;
  readonly children: (value: T) => ComponentChildren;
}

/** What the API told; where it told nothing, whether that is because of the role, or there is nothing yet. */
export function Told<T>({ value, redacted = false, children }: ToldProps<T>) {
  if (value !== undefined && value !== '') return <>{children(value)}</>;
  return redacted && !mayReadSensitive() ? <Hidden /> : <NoneYet />;
}
