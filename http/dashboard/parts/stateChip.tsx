import { lookOf, subtitleOf } from '../words/state.ts';
import { Sign } from './sign.tsx';

interface StateChipProps {
  readonly state: string;
  readonly shown: string;
  readonly large?: boolean;
}

/** A state, the same on every page: sign, word, colour. */
export function StateChip({ state, shown, large = false }: StateChipProps) {
  const { tone, sign } = lookOf(state);
  const subtitle = subtitleOf(state);
  return (
    <span class={large ? 'chip chip-large' : 'chip'} data-tone={tone}>
      <Sign name={sign} />
      <span>
        {shown}
        {subtitle !== '' && <span class="chip-sub"> {subtitle}</span>}
      </span>
    </span>
  );
}
