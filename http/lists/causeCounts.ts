import type { KubeObject } from '../../crds/kind.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import type { CauseCount } from '../../runtime/services/promMetrics.ts';
import { causesOf } from '../../runtime/step/derive.ts';
import { kindsWithCauses } from '../views/causeKinds.ts';
import { countedIn } from './counted.ts';

/** The worst cause of an object, without what makes it one of its own. */
function worstOf(object: KubeObject): readonly string[] {
  const [worst] = causesOf(object);
  return worst ? [`${worst.reason} ${worst.severity}`] : [];
}

/** How many objects have a cause as their worst one, by reason and severity, kept as they change. */
export function causeCounts(caches: Pick<Caches, 'of'>): () => readonly CauseCount[] {
  const counts = kindsWithCauses.map((resource) => countedIn(caches.of(resource), worstOf));
  return () => {
    const sums = new Map<string, number>();
    for (const ofKind of counts) for (const [key, count] of ofKind()) sums.set(key, (sums.get(key) ?? 0) + count);
    return [...sums].map(([key, count]) => {
      const [reason = '', severity = ''] = key.split(' ');
      return { reason, severity, count };
    });
  };
}
