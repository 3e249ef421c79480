import type { ObjectStoreState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type { ObjectStoreFacts, ObjectStoreObserved } from '../../../rules/objectStore/facts.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import { noRow, type Outcome, retriedIn, type Row } from '../provision/row.ts';

/** One object store, and what others do to it. */
export interface World extends Row {
  readonly state: ObjectStoreState | '(none)' | '(deleted)';
  readonly mode: 'Bucket' | 'Server';
  /** Whether the spec names the bucket, which is then somebody's own. */
  readonly named: boolean;
  readonly open: boolean;
  readonly deleting: boolean;
  /** What stands in the way: a wait, an error that counts, or one for good. */
  readonly trouble: 'none' | 'server' | 'project' | 'moved';
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
  ...noRow,
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

const around = ({ mode, trouble, seen, current, works }: World): ObjectStoreObserved => ({
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

/** How a pass over it ends, for the row of failures. */
function outcome({ mode, trouble, seen, current, works }: World): Outcome {
  if (trouble === 'moved') return 'forGood';
  if (trouble === 'project') return 'counted';
  if (trouble === 'server') return 'waited';
  if (mode === 'Bucket' && seen === 'failing') return 'counted';
  const isUp = mode === 'Bucket' ? seen === 'working' : works === 'yes';
  return isUp && current ? 'fine' : 'waited';
}

/** What the lifecycle that counts comes to in a pass. */
export const retried = (world: World): RetrySeen => retriedIn(world, outcome);

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
