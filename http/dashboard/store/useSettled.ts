import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const settlesMs = 200;

/** A text once it has stayed the same for a moment; the first one at once. */
export function useSettled(text: string): string {
  const settled = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => (settled.value = text), settlesMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled.value;
}
