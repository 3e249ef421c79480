import { union } from './fieldSet.ts';
import type { Entry } from './entries.ts';

const mostUpdaters = 10;
const ancient = 'ancient-changes';

/** At most ten entries of updates: the oldest of one version are put together. */
export function capped(entries: readonly Entry[]): readonly Entry[] {
  const updaters = entries.filter(({ operation }) => operation === 'Update').toSorted(byAge);
  let surplus = updaters.length - mostUpdaters;
  const buckets = new Map<string, Entry>();
  const merged = new Set<Entry>();
  for (const entry of updaters) {
    if (surplus <= 0) break;
    const bucket = buckets.get(entry.apiVersion);
    if (!bucket) {
      buckets.set(entry.apiVersion, entry);
      continue;
    }
    merged.add(entry).add(bucket);
    const fields = union(bucket.fields, entry.fields);
    buckets.set(entry.apiVersion, { ...entry, name: ancient, subresource: '', fields });
    surplus -= 1;
  }
  const put = [...buckets.values()].filter((bucket) => !updaters.includes(bucket));
  return put.length === 0 ? entries : [...entries.filter((entry) => !merged.has(entry)), ...put];
}

function byAge(a: Entry, b: Entry): number {
  const [ours, theirs] = [a.time ?? '', b.time ?? ''];
  if (ours !== theirs) return ours < theirs ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
