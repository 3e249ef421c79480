import type { StoredCause } from '../../crds/cause.ts';
import { hashOf } from '../canonical.ts';
import { msOf } from '../time.ts';

/** How often the Event of a cause that lasts is counted again. */
export const renewedEveryMs = 1_800_000;

/** A Kubernetes Event about a cause. */
export interface CauseEvent {
  readonly id: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly at: string;
}

/**
 * The Event of a cause; null for progress and notes. Its id depends on identity and beginning alone, so that every
 * process writes the same Event.
 */
export function eventOfCause({ of, reason, on, since, severity, message, root }: StoredCause): CauseEvent | null {
  if (severity !== 'failure' && severity !== 'waiting') return null;
  const id = `cause.${hashOf([of, reason, on, since]).slice(0, 12)}`;
  if (severity === 'failure') return { id, type: 'Warning', reason, message, at: since };
  const waitsForAnother = root !== undefined || reason !== 'FirstPushAwaited';
  return { id, type: 'Normal', reason: waitsForAnother ? 'WaitsFor' : reason, message, at: since };
}

/** How often the Event of a cause that lasts was counted. */
export const countedSince = (at: string, now: number): number =>
  1 + Math.max(0, Math.floor((now - msOf(at)) / renewedEveryMs));
