import { useEffect } from 'preact/hooks';
import { now } from '../../store/clock.ts';

const graceMs = 1000;
const againMs = 5000;

/** Calls back once an announced check is due, and again while its result does not come. */
export function useWhenDue(nextLook: string | null | undefined, onDue: () => void): void {
  const lateMs = typeof nextLook === 'string' ? now.value - Date.parse(nextLook) : -1;
  const due = Math.floor((lateMs - graceMs) / againMs);
  useEffect(() => {
    if (due >= 0) onDue();
  }, [due]);
}
