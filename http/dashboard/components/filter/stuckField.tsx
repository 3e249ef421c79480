import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { readSeconds } from '../../model/filter.ts';

interface StuckFieldProps {
  readonly seconds: number | null;
  readonly onChange: (seconds: number | null) => void;
  readonly onKeyDown: (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => void;
}

/** Keeps the text as typed, because `5m` and `300` are the same filter. */
export function StuckField({ seconds, onChange, onKeyDown }: StuckFieldProps) {
  const text = useSignal('');
  useEffect(() => {
    if (readSeconds(text.peek()) !== seconds) text.value = seconds === null ? '' : shortest(seconds);
  }, [seconds]);
  const isWrong = text.value.trim() !== '' && readSeconds(text.value) === null;
  return (
    <label class="check">
      Stuck longer than
      <input
        class="input stuck"
        placeholder="5m, 2h"
        value={text.value}
        aria-invalid={isWrong}
        title="A time such as 90s, 5m, 2h or 1d"
        onInput={(event) => {
          text.value = event.currentTarget.value;
          onChange(readSeconds(text.value));
        }}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}

/** `300` seconds as `5m`. */
function shortest(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400}d`;
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
