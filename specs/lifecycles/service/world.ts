import type { ServiceState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import type { ServiceFacts, ServiceObserved } from '../../../rules/service/facts.ts';
import { noRow, type Outcome, retriedIn, type Row } from '../provision/row.ts';

/** One service, and what others do to it. */
export interface World extends Row {
  readonly state: ServiceState | '(none)' | '(deleted)';
  readonly open: boolean;
  readonly deleting: boolean;
  /** What stands in the way: a wait, an API that takes nothing, an error that counts, or one for good. */
  readonly trouble: 'none' | 'project' | 'away' | 'nodes' | 'denied';
  readonly workload: 'absent' | 'stale' | 'current';
  readonly pods: 'none' | 'starting' | 'running' | 'failed' | 'asleep';
  readonly attempting: boolean;
  /** The build of what is deployed; null for an image. */
  readonly build: 'Running' | 'Succeeded' | 'Failed' | null;
  /** Whether what was deleted is still ending. */
  readonly ending: boolean;
}

/** A service nobody has looked at yet. */
export const first: World = {
  state: '(none)',
  open: true,
  deleting: false,
  trouble: 'none',
  ...noRow,
  workload: 'absent',
  pods: 'none',
  attempting: false,
  build: null,
  ending: false,
};

const failures: Readonly<Partial<Record<World['trouble'], ServiceObserved['failure']>>> = {
  denied: { counts: 'permanent', why: 'access denied' },
  away: { counts: 'waiting', why: 'the API does not answer' },
};

const around = ({ trouble, workload, pods, attempting, build }: World): ServiceObserved => ({
  source: build === null ? 'image' : 'git',
  project: { name: 'shop', is: trouble === 'project' ? 'notReady' : 'fine' },
  environment: 'production',
  cluster: { name: 'main', ready: true },
  connection: { name: '', is: 'none' },
  secret: { name: '', found: false },
  registry: 'registry.example/team',
  image: 'nginx:1.27',
  databases: [],
  buckets: [],
  missing: null,
  workload,
  pods,
  attempting,
  attemptOfDeploy: attempting,
  currentBuild: build === null ? '' : 'web-1',
  build,
  room: { nodes: trouble === 'nodes' ? 'none' : 'fit', crowded: null },
  region: '',
  tags: [],
  host: { name: '', leads: 'here' },
  isCodeTooLong: false,
  contested: [],
  failure: failures[trouble] ?? null,
});

/** How a pass over it ends, for the row of failures. */
function outcome({ trouble, pods, attempting }: World): Outcome {
  if (trouble === 'denied') return 'forGood';
  if (trouble === 'nodes') return 'counted';
  if (trouble === 'project' || trouble === 'away' || pods === 'starting') return 'waited';
  if (pods !== 'failed') return 'fine';
  return attempting ? 'counted' : 'waited';
}

/** What the lifecycle that counts comes to in a pass. */
export const retried = (world: World): RetrySeen => retriedIn(world, outcome);

/** What a pass would see of a world. */
export const factsOf = (world: World): ServiceFacts => ({
  now: 0,
  deleted: world.deleting,
  gate: world.open ? 'Deployed' : 'Draft',
  retry: retried(world),
  around: known(around(world)),
  remains: known(world.ending),
});
