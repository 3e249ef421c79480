import type { Attention } from '../../../api.ts';
import { Icon } from '../../components/icon.tsx';
import type { Sign, Tone } from '../../model/state.ts';

/** The look of each word. */
const looks: Readonly<Record<Attention['word'], readonly [Tone, Sign]>> = {
  Failed: ['bad', 'cross'],
  'At risk': ['waiting', 'bang'],
  Crashing: ['bad', 'bang'],
  Retrying: ['waiting', 'hourglass'],
  Stuck: ['waiting', 'bang'],
};

/** How urgent an item is. */
export function WordChip({ word }: { readonly word: Attention['word'] }) {
  const [tone, sign] = looks[word];
  return (
    <span class="chip" data-tone={tone}>
      <Icon name={sign} />
      <span>{word}</span>
    </span>
  );
}
