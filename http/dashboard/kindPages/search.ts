import type { Summary } from '../../api.ts';
import type { Filter } from '../model/filter.ts';
import { type ListOf, pagesIn } from '../store/list.ts';
import { type LongList, useLongLists } from '../store/longList.ts';
import { useSettled } from '../store/useSettled.ts';
import { searchIn, type Search } from './lists.ts';

const isSought = ({ text, states }: Search): boolean => text !== '' || states.length > 0;

/**
 * What the server finds in lists, always as many, if it is asked and something is looked for; asked once nobody types.
 */
export function useSearch(
  of: readonly ListOf[],
  { text, states }: Pick<Filter, 'text' | 'states'>,
  isAsked: boolean,
): LongList<Summary> {
  const now: Search = { text: text.trim(), states };
  const settled = JSON.parse(useSettled(JSON.stringify(now))) as Search;
  const isFound = isAsked && isSought(now) && isSought(settled);
  return useLongLists(of.map((one) => (isFound ? pagesIn(searchIn(one, settled)) : null)));
}
