/** A push that a build is told of. */
export interface PushTold {
  /** The head that the branch has by it. */
  readonly head: string;
  /** The id under which it was delivered; empty where it came without one. */
  readonly delivery: string;
}

/** What a build keeps of the pushes it took: the head of its branch, and the newest deliveries. */
export interface PushesKept {
  readonly head: string;
  readonly deliveries: readonly string[];
}

/** So many are known when they come again. */
const deliveriesKept = 20;

/** A push that nobody told of, as one that was delivered: told of after all, it is the same. */
export const foundPush = (head: string): PushTold => ({ head, delivery: `found ${head}` });

/** What a build keeps of a push, so that every replica knows it. */
export function pushRecorded({ deliveries }: PushesKept, { head, delivery }: PushTold): Partial<PushesKept> {
  return {
    ...(head === '' ? {} : { head }),
    ...(delivery === '' ? {} : { deliveries: [...deliveries, delivery].slice(-deliveriesKept) }),
  };
}

/** Whether a build took this push before: the same delivery, or one that was found first. */
export const isPushTaken = ({ head: newest, deliveries }: PushesKept, { head, delivery }: PushTold): boolean =>
  deliveries.includes(delivery) || (newest === head && deliveries.includes(foundPush(head).delivery));

/** What a build knows of its branch: what it took as its head, or what an older release resolved. */
export const knownHead = ({ head }: Pick<PushesKept, 'head'>, sourceRevision: string): string => head || sourceRevision;
