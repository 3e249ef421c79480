import { hasLook, lookOf, subtitleOf } from '../model/state.ts';
import { Icon } from './icon.tsx';

interface StateChipProps {
  readonly state: string;
  readonly shown: string;
  readonly large?: boolean;
  /** What stands beside the state, such as `retrying 3`, `paused` and `asleep`. */
  readonly also?: readonly string[];
}

/** A state, the same on every page: sign, word, colour; what else is true of it in chips of their own. */
export function StateChip({ state, shown, large = false, also = [] }: StateChipProps) {
  const { tone, sign } = lookOf(state);
  const subtitle = subtitleOf(state);
  const look = large ? 'chip chip-large' : 'chip';
  return (
    <>
      <span class={look} data-tone={tone}>
        <Icon name={sign} />
        <span>
          {shown}
          {subtitle !== '' && <span class="chip-sub"> {subtitle}</span>}
        </span>
      </span>
      {also.map((word) => (
        <span key={word} class={`${look} chip-also`} data-tone={hasLook(word) ? lookOf(word).tone : 'waiting'}>
          {word}
        </span>
      ))}
    </>
  );
}
