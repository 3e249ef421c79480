import type { ServiceState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import type { ServiceFacts, ServiceSurroundings } from '../../../rules/service/facts.ts';

/** One service, and what others do to it. */
export interface World {
  readonly state: ServiceState | '(none)' | '(deleted)';
  readonly open: boolean;
  readonly deleting: boolean;
  /** What stands in the way: a wait, an error that counts, or one for good. */
  readonly trouble: 'none' | 'project' | 'nodes' | 'denied';
  /** The row of failures, as another lifecycle counts them; the next failure after `fourTimes` or `threeMinutes` ends it. */
  readonly retry: 'clean' | 'counting' | 'fourTimes' | 'threeMinutes' | 'over';
  /** Whether one counted less than half a minute ago. */
  readonly hurried: boolean;
  /** What will be found that begins anew. */
  readonly again: 'nothing' | 'spec' | 'deploy';
  readonly workload: 'absent' | 'stale' | 'current';
  readonly pods: 'none' | 'starting' | 'running' | 'failed' | 'asleep';
  readonly attempting: boolean;
  /** Whether what was deleted is still ending. */
  readonly ending: boolean;
}

/** A service nobody has looked at yet. */
export const first: World = {
  state: '(none)',
  open: true,
  deleting: false,
  trouble: 'none',
  retry: 'clean',
  hurried: false,
  again: 'nothing',
  workload: 'absent',
  pods: 'none',
  attempting: false,
  ending: false,
};

const around = ({ trouble, workload, pods, attempting }: World): ServiceSurroundings => ({
  source: 'image',
  project: { name: 'shop', is: trouble === 'project' ? 'notReady' : 'fine' },
  environment: 'production',
  cluster: { name: 'main', ready: true },
  connection: { name: '', is: 'none' },
  secret: { name: '', found: false },
  registry: '',
  image: 'nginx:1.27',
  databases: [],
  buckets: [],
  missing: null,
  workload,
  pods,
  attempting,
  crowded: null,
  nodes: trouble === 'nodes' ? 'none' : 'fit',
  region: '',
  tags: [],
  host: { name: '', leads: 'here' },
  isCodeTooLong: false,
  contested: [],
  failure: trouble === 'denied' ? { counts: 'permanent', why: 'access denied' } : null,
});

const goesOn = (world: World): RetrySeen => {
  if (world.hurried) return { state: 'Counting', event: 'failureRepeated' };
  if (world.retry === 'fourTimes') return { state: 'ProvisionFailed', event: 'limitReached' };
  if (world.retry === 'threeMinutes') return { state: 'ProvisionFailed', event: 'timeRanOut' };
  return { state: 'Counting', event: 'failureCounted' };
};

/** How a pass over it ends, for the row of failures. */
function outcome({ trouble, pods, attempting }: World): 'forGood' | 'counted' | 'waited' | 'fine' {
  if (trouble === 'denied') return 'forGood';
  if (trouble === 'nodes') return 'counted';
  if (trouble === 'project' || pods === 'starting') return 'waited';
  if (pods !== 'failed') return 'fine';
  return attempting ? 'counted' : 'waited';
}

/** What the lifecycle that counts comes to in a pass. */
export function retried(world: World): RetrySeen {
  const { retry, again } = world;
  const same = { state: retry === 'clean' ? 'Clean' : 'Counting', event: null } as const;
  if (world.deleting || !world.open) return retry === 'over' ? { state: 'ProvisionFailed', event: null } : same;
  if (again === 'deploy') return { state: 'Clean', event: 'redeployFound' };
  if (retry === 'over') {
    return again === 'spec'
      ? { state: 'Clean', event: 'generationChanged' }
      : { state: 'ProvisionFailed', event: 'stayedFailed' };
  }
  switch (outcome(world)) {
    case 'forGood':
      return { state: 'ProvisionFailed', event: 'permanentlyFailed' };
    case 'waited':
      return { ...same, event: 'waited' };
    case 'fine':
      return { state: 'Clean', event: retry === 'clean' ? null : 'passSucceeded' };
    case 'counted':
      return retry === 'clean' ? { state: 'Counting', event: 'rowBegan' } : goesOn(world);
  }
}

/** The row of failures after a pass. */
export function rowAfter(world: World): Pick<World, 'retry' | 'hurried' | 'again'> {
  const { state, event } = retried(world);
  const retry = { Clean: 'clean', ProvisionFailed: 'over', Counting: world.retry } as const;
  const counted = { rowBegan: 'counting', failureCounted: 'fourTimes' } as const;
  const isCounted = event === 'rowBegan' || event === 'failureCounted';
  return {
    retry: isCounted ? counted[event] : retry[state],
    hurried: state === 'Counting' && (world.hurried || isCounted),
    again: 'nothing',
  };
}

/** What a pass would see of a world. */
export const factsOf = (world: World): ServiceFacts => ({
  now: 0,
  deleted: world.deleting,
  gate: world.open ? 'Deployed' : 'Draft',
  retry: retried(world),
  around: known(around(world)),
  remains: known(world.ending),
});
