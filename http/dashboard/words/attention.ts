import type { Instance } from '../../api.ts';
import { lookOf } from './state.ts';

/** Something that needs a person, with the words for it. */
export interface Attention {
  readonly instance: Instance;
  readonly word: 'Failed' | 'Retrying' | 'Stuck';
}

/** What has waited this long does not come by itself. */
export const stuckMs = 5 * 60_000;

const order = { Failed: 0, Retrying: 1, Stuck: 2 } as const;

function wordOf(instance: Instance, now: number): Attention['word'] | null {
  const { tone } = lookOf(instance.state);
  if (tone === 'bad') return instance.retrying ? 'Retrying' : 'Failed';
  if (instance.retrying) return 'Retrying';
  return tone === 'waiting' && now - Date.parse(instance.since) > stuckMs ? 'Stuck' : null;
}

/** What needs attention: failed first, then retrying, then stuck for over five minutes; the newest first of each. */
export const attentionOf = (instances: Iterable<Instance>, now: number): readonly Attention[] =>
  [...instances]
    .flatMap((instance): readonly Attention[] => {
      const word = wordOf(instance, now);
      return word === null ? [] : [{ instance, word }];
    })
    .toSorted((a, b) => order[a.word] - order[b.word] || (a.instance.since < b.instance.since ? 1 : -1));
