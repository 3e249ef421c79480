import { isoTime } from '../../rules/time.ts';
import type { Controller } from '../../runtime/contract/controller.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { PassFailure } from '../../runtime/lead/passRecords.ts';

/** When the next pass is due without a change, and at which interval (ms) where that is fixed. */
export interface NextCheck {
  readonly nextCheckAt?: string | null;
  /** The earlier name of `nextCheckAt`. */
  readonly nextLook?: string | null;
  readonly checkEveryMs?: number;
}

/** The same moment under both of its names. */
export const nextCheckAt = (at: string | null): NextCheck => ({ nextCheckAt: at, nextLook: at });

/** The leader's in-memory knowledge of an object's passes; null on a standby, which cannot know it. */
export interface Passes extends NextCheck {
  readonly failure: PassFailure | null | undefined;
}

export function passesOf(operator: Operator, controller: Controller, name: string): Passes {
  if (!operator.isLeading()) return { ...nextCheckAt(null), failure: null };
  const dueAt = operator.requeueAt(controller, name);
  const checkEveryMs = operator.checkEveryMs(controller, name);
  return {
    ...(dueAt === undefined ? {} : nextCheckAt(isoTime(dueAt))),
    ...(dueAt === undefined || checkEveryMs === undefined ? {} : { checkEveryMs }),
    failure: operator.failure(controller, name),
  };
}
