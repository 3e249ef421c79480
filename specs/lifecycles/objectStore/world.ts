import type { ObjectStoreState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type { ObjectStoreFacts, ObjectStoreSurroundings } from '../../../rules/objectStore/facts.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';

/** One object store, and what others do to it. */
export interface World {
  readonly state: ObjectStoreState | '(none)' | '(deleted)';
  readonly mode: 'Bucket' | 'Server';
  /** Whether the spec names the bucket, which is then somebody's own. */
  readonly named: boolean;
  readonly open: boolean;
  readonly deleting: boolean;
  /** What stands in the way: a wait, an error that counts, or one for good. */
  readonly trouble: 'none' | 'server' | 'project' | 'moved';
  /** The row of failures, as another lifecycle counts them; the next failure after `fourTimes` or `threeMinutes` ends it. */
  readonly retry: 'clean' | 'counting' | 'fourTimes' | 'threeMinutes' | 'over';
  /** Whether one counted less than half a minute ago. */
  readonly hurried: boolean;
  /** What will be found that begins anew. */
  readonly again: 'nothing' | 'spec' | 'deploy';
  /** What there really is: a bucket with its key, or the server with its volume. */
  readonly made: boolean;
  /** Whether the key opens the bucket, or the pod runs. */
  readonly works: 'not' | 'soon' | 'yes' | 'refused';
  /** What the controller last saw of that. */
  readonly seen: 'nothing' | 'waiting' | 'working' | 'failing';
  /** Whether the Secret of the environment is written, or everything of the server. */
  readonly current: boolean;
  /** Whether buckets are on the server. */
  readonly used: boolean;
  /** Whether a pass saw that nothing was left. */
  readonly gone: boolean;
}

/** An object store that no pass has seen yet. */
export const first: World = {
  state: '(none)',
  mode: 'Bucket',
  named: false,
  open: true,
  deleting: false,
  trouble: 'none',
  retry: 'clean',
  hurried: false,
  again: 'nothing',
  made: false,
  works: 'not',
  seen: 'nothing',
  current: false,
  used: false,
  gone: false,
};

const buckets = {
  nothing: null,
  waiting: { is: 'waiting', why: 'the cloud does not know the new key yet' },
  working: { is: 'working', region: 'eu', secret: 'files-bucket-keys' },
  failing: { is: 'failing', error: 'AccessDenied' },
} as const;

const around = ({ mode, trouble, seen, current, works }: World): ObjectStoreSurroundings => ({
  mode,
  unsupported: '',
  movedFrom: trouble === 'moved' ? 'core-files-1' : '',
  environment: 'production',
  project: { name: 'shop', is: trouble === 'project' ? 'absent' : mode === 'Server' ? 'none' : 'fine' },
  cloud: null,
  server: trouble === 'server' ? { name: 'store', is: 'notReady' } : { name: '', is: 'none' },
  lackingTags: [],
  bucket: mode === 'Bucket' ? buckets[seen] : null,
  failure: null,
  isCurrent: current,
  runs: mode === 'Bucket' || works === 'yes',
});

const goesOn = (world: World): RetrySeen => {
  if (world.hurried) return { state: 'Counting', event: 'failureRepeated' };
  if (world.retry === 'fourTimes') return { state: 'ProvisionFailed', event: 'limitReached' };
  if (world.retry === 'threeMinutes') return { state: 'ProvisionFailed', event: 'timeRanOut' };
  return { state: 'Counting', event: 'failureCounted' };
};

/** How a pass over it ends, for the row of failures. */
function outcome({ mode, trouble, seen, current, works }: World): 'forGood' | 'counted' | 'waited' | 'fine' {
  if (trouble === 'moved') return 'forGood';
  if (trouble === 'project') return 'counted';
  if (trouble === 'server') return 'waited';
  if (mode === 'Bucket' && seen === 'failing') return 'counted';
  const isUp = mode === 'Bucket' ? seen === 'working' : works === 'yes';
  return isUp && current ? 'fine' : 'waited';
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
export const factsOf = (world: World): ObjectStoreFacts => ({
  now: 0,
  deleted: world.deleting,
  gate: world.open ? 'Deployed' : 'Draft',
  retry: retried(world),
  around: known(around(world)),
  usedBy: world.used ? ['files'] : [],
  remains: !world.gone,
});
