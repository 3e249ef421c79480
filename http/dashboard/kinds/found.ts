import type { Summary } from '../../api.ts';
import type { Filter } from '../filter.ts';
import { type ListOf, pagesIn } from '../store/list.ts';
import { type LongList, useLongList } from '../store/longList.ts';
import { useSettled } from '../store/useSettled.ts';
import { foundIn, type Sought } from './lists.ts';

const isSought = ({ text, states }: Sought): boolean => text !== '' || states.length > 0;

/** What the server finds in a list, if there is one and something is looked for; asked once nobody types. */
export function useFound(of: ListOf | null, { text, states }: Pick<Filter, 'text' | 'states'>): LongList<Summary> {
  const now: Sought = { text: text.trim(), states };
  const settled = JSON.parse(useSettled(JSON.stringify(now))) as Sought;
  return useLongList(of && isSought(now) && isSought(settled) ? pagesIn(foundIn(of, settled)) : null);
}
