/** A push delivered to a build. */
export interface DeliveredPush {
  /** The head of the branch after the push. */
  readonly head: string;
  /** The delivery id; empty when the push came without one. */
  readonly delivery: string;
}

/** The accepted pushes of a build: the head of its branch, and the latest delivery ids. */
export interface PushesKept {
  readonly head: string;
  readonly deliveries: readonly string[];
}

/** The number of delivery ids kept to recognise repeated deliveries. */
const deliveriesKept = 20;

/**
 * A push that was found without a delivery, in the form of a delivered one; a later delivery of it counts as the same
 * push.
 */
export const foundPush = (head: string): DeliveredPush => ({ head, delivery: `found ${head}` });

/** The record of a push in the build, so that every replica knows it. */
export function pushRecorded({ deliveries }: PushesKept, { head, delivery }: DeliveredPush): Partial<PushesKept> {
  return {
    ...(head === '' ? {} : { head }),
    ...(delivery === '' ? {} : { deliveries: [...deliveries, delivery].slice(-deliveriesKept) }),
  };
}

/** Whether a build accepted this push before: the same delivery, or a push that was found first. */
export const isPushTaken = ({ head: newest, deliveries }: PushesKept, { head, delivery }: DeliveredPush): boolean =>
  deliveries.includes(delivery) || (newest === head && deliveries.includes(foundPush(head).delivery));

/** The known head of a build's branch: the accepted one, or the one that an older release resolved. */
export const knownHead = ({ head }: Pick<PushesKept, 'head'>, sourceRevision: string): string => head || sourceRevision;
