import type { BuildStatus } from '../../crds/coreBuild.ts';

/** A push that a build is told of. */
export interface PushTold {
  /** The head that the branch has by it. */
  readonly head: string;
  /** The id under which it was delivered; empty for one that nobody told of. */
  readonly delivery: string;
}

/** So many are known when they come again. */
const deliveriesKept = 20;

/** What a build keeps of a push, so that every replica knows it. */
export function pushRecorded(
  { deliveries = [] }: Pick<BuildStatus, 'deliveries'>,
  { head, delivery }: PushTold,
): Pick<BuildStatus, 'head' | 'deliveries'> {
  return {
    ...(head === '' ? {} : { head }),
    ...(delivery === '' ? {} : { deliveries: [...deliveries, delivery].slice(-deliveriesKept) }),
  };
}
