import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** How far a save has come: taken by the server, then answered by what it is about. */
type Saved = { readonly is: 'none' | 'answered' } | { readonly is: 'taken'; readonly before: string };

export interface Saving {
  /** What stands beside the button. */
  readonly words: string;
  /** The server has taken what was sent. */
  readonly taken: () => void;
  readonly forget: () => void;
}

/** What answers may have been the same before: then nothing ever moves. */
const maxCheckMs = 15_000;
const saidMs = 3_000;

/**
 * That something is saved, and checked until `answer` is another than it was: a condition, or what is read again. Without
 * an answer nothing is checked.
 */
export function useSaved(answer?: string, label = 'Saved'): Saving {
  const saved = useSignal<Saved>({ is: 'none' });
  const { value } = saved;
  const isChecking = value.is === 'taken' && value.before === answer;
  useEffect(() => {
    if (value.is === 'none') return undefined;
    if (value.is === 'taken' && !isChecking) return void (saved.value = { is: 'answered' });
    const next = isChecking ? 'answered' : 'none';
    const timer = setTimeout(() => (saved.value = { is: next }), isChecking ? maxCheckMs : saidMs);
    return () => clearTimeout(timer);
  }, [value, isChecking]);
  return {
    words: value.is === 'none' ? '' : isChecking ? `${label} · checking …` : label,
    taken: () => (saved.value = answer === undefined ? { is: 'answered' } : { is: 'taken', before: answer }),
    forget: () => (saved.value = { is: 'none' }),
  };
}
