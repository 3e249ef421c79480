import { isoTime } from '../../rules/time.ts';
import type { Controller } from '../../runtime/lifecycle.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { PassFailure } from '../../runtime/lead/leadership.ts';

/** The leader's in-memory knowledge of an object's passes; null on a standby, which cannot know it. */
export interface Passes {
  readonly nextLook?: string | null;
  readonly failure: PassFailure | null | undefined;
}

export function passesOf(operator: Operator, controller: Controller, name: string): Passes {
  if (!operator.isLeading()) return { nextLook: null, failure: null };
  const dueAt = operator.requeueAt(controller, name);
  return {
    ...(dueAt === undefined ? {} : { nextLook: isoTime(dueAt) }),
    failure: operator.failure(controller, name),
  };
}
