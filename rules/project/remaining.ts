import { isListed } from '../redaction/redact.ts';
import { hidden, joined, open, type Message, sentence, toObservers, toViewers } from '../words.ts';

/** The type of the condition for what a deletion still waits for. */
export const contentRemaining = 'ContentRemaining';

/** An object that a deletion waits for. */
export interface Left {
  readonly kind: string;
  readonly name: string;
  /** What it waits for itself, as text. */
  readonly message?: string;
}

/** A project or an environment being deleted, and its remaining contents. */
export interface Remaining {
  readonly is: 'project' | 'environment';
  readonly name: string;
  /** Whether the contents are deleted, too; otherwise the deletion waits for them. */
  readonly everything: boolean;
  readonly left: readonly Left[];
}

const maxNamed = 10;

function one({ kind, name, message = '' }: Left): Message {
  const values = { kind: toViewers(kind), name: isListed(kind, 'viewer') ? toViewers(name) : hidden(name) };
  if (message === '') return sentence('{kind} {name}', values);
  return sentence('{kind} {name}: {message}', { ...values, message: toObservers(message) });
}

function named(left: readonly Left[]): Message {
  if (left.length === 0) return open('nothing');
  const more = left.length - maxNamed;
  const first = joined(left.slice(0, maxNamed).map(one), ', ');
  return more > 0 ? sentence('{first} and {more} more', { first, more: toViewers(more) }) : first;
}

function said({ is, name, everything, left }: Remaining): Message {
  const values = { name: toViewers(name), left: named(left) };
  if (is === 'environment') return sentence('environment "{name}" is being deleted, and left of it is: {left}', values);
  return everything
    ? sentence('project "{name}" is being deleted with everything in it, and left of it is: {left}', values)
    : sentence('project "{name}" is being deleted once these are deleted: {left}', values);
}

/** The messages about what deletions wait for. */
export const remainingSaid = (remaining: readonly Remaining[]): readonly Message[] => remaining.map(said);
