import { type Attention, byAttention, type Concern, isDue } from '../../rules/cause/attention.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import { attentionGroups, itemOf } from './attention.ts';

/** Where something has to belong. */
interface Place {
  readonly project?: string;
  readonly environment?: string;
}

/** Whether an item is about something in a place, or holds it up. */
function isIn({ reported, others }: Attention, { project, environment }: Place): boolean {
  if (project === undefined && environment === undefined) return true;
  const isThere = ({ object }: Concern): boolean =>
    (project === undefined || object.project === project) &&
    (environment === undefined || object.environment === environment);
  return isThere(reported) || others.some(isThere);
}

/** What needs attention at a time (ms), in its order. */
export function attentionItems(
  caches: Pick<Caches, 'of' | 'get'>,
): (now: number, place?: Place) => readonly Attention[] {
  const groups = attentionGroups(caches);
  return (now, place = {}) => {
    const items: Attention[] = [];
    for (const group of groups()) {
      const item = itemOf(group);
      if (item !== null && isDue(item, now) && isIn(item, place)) items.push(item);
    }
    return items.toSorted(byAttention);
  };
}
