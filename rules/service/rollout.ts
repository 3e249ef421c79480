import { hashOf } from '../canonical.ts';
import type { Rollout } from './settled.ts';

const inPlace = '.in-place';

/** The annotation of a rollout of this template: decided when it begins, and kept while the template stays. */
export function rolloutOf(template: object, { stands, hasRoom }: Rollout): string {
  const hash = hashOf(template).slice(0, 16);
  if (stands === hash || stands === `${hash}${inPlace}`) return stands;
  return stands === '' || hasRoom() ? hash : `${hash}${inPlace}`;
}

/** Where no pod more fits, a pod has to go before its successor comes. */
export const strategyOf = (rollout: string) => ({
  type: 'RollingUpdate',
  rollingUpdate: rollout.endsWith(inPlace)
    ? { maxSurge: 0, maxUnavailable: 1 }
    : { maxSurge: '25%', maxUnavailable: 0 },
});
