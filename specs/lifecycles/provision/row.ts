import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';

/** The consecutive failures of something provisioned, as another lifecycle counts them. */
export interface Row {
  /** After `fourTimes` or `threeMinutes` the next failure gives up. */
  readonly retry: 'clean' | 'counting' | 'fourTimes' | 'threeMinutes' | 'over';
  /** Whether a failure was counted less than half a minute ago. */
  readonly hurried: boolean;
  /** What will restart provisioning after it was given up. */
  readonly again: 'nothing' | 'spec' | 'deploy';
}

export const noRow: Row = { retry: 'clean', hurried: false, again: 'nothing' };

/** How a pass ends, for the row of failures. */
export type Outcome = 'forGood' | 'counted' | 'waited' | 'fine';

/** The row, before a pass, of something that a deploy can restart. */
interface Deployed extends Row {
  readonly open: boolean;
  readonly deleting: boolean;
}

const unchanged = ({ retry }: Row) => ({ state: retry === 'clean' ? 'Clean' : 'Counting', event: null }) as const;

/** What the counting lifecycle comes to after a counted failure. */
function countedIn({ retry, hurried }: Row): RetrySeen {
  if (retry === 'clean') return { state: 'Counting', event: 'rowBegan' };
  if (hurried) return { state: 'Counting', event: 'failureRepeated' };
  if (retry === 'fourTimes') return { state: 'ProvisionFailed', event: 'limitReached' };
  if (retry === 'threeMinutes') return { state: 'ProvisionFailed', event: 'timeRanOut' };
  return { state: 'Counting', event: 'failureCounted' };
}

/** What the counting lifecycle comes to in a pass with this outcome. */
export function retriedAfter(outcome: Outcome, row: Row): RetrySeen {
  switch (outcome) {
    case 'forGood':
      return { state: 'ProvisionFailed', event: 'permanentlyFailed' };
    case 'waited':
      return { ...unchanged(row), event: 'waited' };
    case 'fine':
      return { state: 'Clean', event: row.retry === 'clean' ? null : 'passSucceeded' };
    case 'counted':
      return countedIn(row);
  }
}

/** What the counting lifecycle comes to in a pass; nothing is tried in a draft, or once it is deleted or given up. */
export function retriedIn<World extends Deployed>(world: World, outcomeOf: (world: World) => Outcome): RetrySeen {
  const { retry, again } = world;
  if (world.deleting || !world.open)
    return retry === 'over' ? { state: 'ProvisionFailed', event: null } : unchanged(world);
  if (again === 'deploy') return { state: 'Clean', event: 'redeployFound' };
  if (retry === 'over') {
    return again === 'spec'
      ? { state: 'Clean', event: 'generationChanged' }
      : { state: 'ProvisionFailed', event: 'stayedFailed' };
  }
  return retriedAfter(outcomeOf(world), world);
}

/** The row after a pass in which the counting lifecycle came to this. */
export function rowAfter(row: Row, { state, event }: RetrySeen): Row {
  const retry = { Clean: 'clean', ProvisionFailed: 'over', Counting: row.retry } as const;
  const counted = { rowBegan: 'counting', failureCounted: 'fourTimes' } as const;
  const isCounted = event === 'rowBegan' || event === 'failureCounted';
  return {
    retry: isCounted ? counted[event] : retry[state],
    hurried: state === 'Counting' && (row.hurried || isCounted),
    again: 'nothing',
  };
}
