import type { Explanation, Transitions } from '../../api.ts';
import { attemptCountOf } from './attemptCount.ts';
import { hintOf } from './hints.ts';
import { plural } from './plural.ts';

interface Noted {
  readonly text: string;
  readonly until?: string | null;
}

/** What the banner says of an instance of any machine. */
export interface InstanceWords {
  readonly sentence: string;
  readonly attempt: { readonly n: number; readonly of: number } | null;
  readonly due: { readonly word: string; readonly at: string } | null;
  readonly notes: readonly Noted[];
  readonly hint: string;
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const stopped = (text: string): string => (text === '' || text.endsWith('.') ? text : `${text}.`);

const dueOf = ({ nextLook, failure, decision, paused }: Explanation): InstanceWords['due'] => {
  if (typeof nextLook !== 'string' || paused) return null;
  const isTried = Boolean(failure) || decision.is === 'unknown';
  return { word: isTried ? 'Next try' : 'Next check', at: nextLook };
};

/** What comes next, where no moment for it is announced. */
function restOf({ state, nextLook, decision, restsUntil }: Explanation): string {
  if (typeof nextLook === 'string')
    return decision.is === 'asks' ? `The next check asks for \`${decision.fact}\`.` : '';
  if (nextLook === null)
    return decision.is === 'rests'
      ? 'No automatic next step, as far as this standby sees.'
      : 'This replica is a standby. Only the leader knows the next check and whether it fails.';
  if (state === '(deleted)') return 'It has ended, and goes once nothing else holds the object.';
  return restsUntil === null ? 'No automatic next step.' : `Rests until: ${restsUntil}.`;
}

const nextOf = (explanation: Explanation): string => {
  const { paused, failure, decision } = explanation;
  if (paused) return 'Paused: no automatic step until its annotation `core.platform/paused` is removed.';
  if (failure) return `The attempt failed ${plural(failure.count, 'time')}: ${failure.text}.`;
  if (decision.is === 'unknown') return `The fact \`${decision.fact}\` could not be read: ${decision.why}.`;
  return restOf(explanation);
};

/** Why an instance is in its state, until when, and what a person can do about it. */
export function instanceWords(explanation: Explanation, moves: Transitions['items']): InstanceWords {
  const next = nextOf(explanation);
  return {
    sentence: capital(explanation.text),
    attempt: attemptCountOf(explanation),
    due: dueOf(explanation),
    notes: [
      ...(next === '' ? [] : [{ text: next }]),
      ...explanation.notes.map(({ text, until }) => ({ text: until === null ? stopped(text) : text, until })),
    ],
    hint: hintOf(explanation, moves),
  };
}
