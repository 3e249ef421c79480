import { hidden, nothing, sentence, toObservers, toViewers, type Message } from '../words.ts';
import type { FoundCause, ObjectRef } from './cause.ts';

/** An object that has to go before its owner does. */
export interface Remaining {
  readonly on: ObjectRef;
  /** The finalizers that hold it. */
  readonly finalizers: readonly string[];
  /** When its own deletion was asked for; empty while it was not. */
  readonly since?: string;
}

/** A deletion that waits for something, in a sentence. */
export const deletionWaits = (message: Message, on: ObjectRef): FoundCause => ({
  of: 'Deletion',
  reason: 'DeletionWaits',
  message,
  on,
});

/** What a deletion waits for: the first object that a finalizer holds, else the first that is still there. */
export function causesOfRemaining(remaining: readonly Remaining[]): readonly FoundCause[] {
  const [first] = remaining.toSorted(
    (one, other) => Number(other.finalizers.length > 0) - Number(one.finalizers.length > 0) || compare(one, other),
  );
  if (first === undefined) return [];
  const message = sentence('{kind} "{name}" is still there{more}{held}{since}', {
    kind: toViewers(first.on.kind),
    name: toObservers(first.on.name),
    more: remaining.length > 1 ? sentence(' and {count} more', { count: toViewers(remaining.length - 1) }) : nothing,
    held:
      first.finalizers.length === 0
        ? nothing
        : sentence('; {finalizers} holds it', { finalizers: hidden(first.finalizers.join(', ')) }),
    since: first.since ? sentence(' since {time}', { time: toViewers(first.since) }) : nothing,
  });
  return [deletionWaits(message, first.on)];
}

const keyOf = ({ on }: Remaining): string => `${on.kind} ${on.namespace}/${on.name}`;
const compare = (one: Remaining, other: Remaining): number => (keyOf(one) < keyOf(other) ? -1 : 1);
