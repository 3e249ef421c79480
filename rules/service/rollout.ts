import { hashOf } from '../canonical.ts';
import type { Rollout } from './settled.ts';

const inPlace = '.in-place';

/** The annotation of a rollout of this template: decided at its start, and kept while the template is unchanged. */
export function rolloutOf(template: object, { stands, hasRoom }: Rollout): string {
  const hash = hashOf(template).slice(0, 16);
  if (stands === hash || stands === `${hash}${inPlace}`) return stands;
  return stands === '' || hasRoom() ? hash : `${hash}${inPlace}`;
}

/** Without capacity for a surge pod, a pod is deleted before its successor is created. */
export const strategyOf = (rollout: string) => ({
  type: 'RollingUpdate',
  rollingUpdate: rollout.endsWith(inPlace)
    ? { maxSurge: 0, maxUnavailable: 1 }
    : { maxSurge: '25%', maxUnavailable: 0 },
});
