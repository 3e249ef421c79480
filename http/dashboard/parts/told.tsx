import type { ComponentChildren } from 'preact';
import { mayReadSensitive } from '../store/session.ts';

/** Stands where the API leaves something out because of who reads. */
export const Hidden = () => <span class="muted">hidden from your role</span>;

interface ToldProps<T> {
  readonly value: T | undefined;
  readonly children: (value: T) => ComponentChildren;
}

/** What the API told; where it told nothing, whether that is because of the role, or there is nothing yet. */
export const Told = <T,>({ value, children }: ToldProps<T>) => (
  <>{value !== undefined ? children(value) : mayReadSensitive() ? <span class="muted">none yet</span> : <Hidden />}</>
);
