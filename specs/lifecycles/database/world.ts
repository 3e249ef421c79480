import type { DatabaseState } from '../../../machines/names.ts';
import type { DatabaseFacts, DatabaseObserved } from '../../../rules/database/facts.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import { known } from '../../../rules/fact.ts';
import { noRow, type Outcome, retriedAfter, type Row } from '../provision/row.ts';

/** One MySQL database, the actions of others, and a record of what became of its data. */
export interface World extends Row {
  readonly state: DatabaseState | '(none)' | '(deleted)';
  readonly open: boolean;
  readonly external: boolean;
  readonly backups: boolean;
  readonly restores: boolean;
  readonly deleting: boolean;
  readonly tenMinutes: boolean;
  readonly lastBackup: 'none' | 'running' | 'failed' | 'finished';
  readonly trouble: 'none' | 'project' | 'storage' | 'storageLong' | 'denied' | 'unreached';
  readonly workload: 'absent' | 'stale' | 'current';
  readonly pods: 'none' | 'starting' | 'running';
  /** Whether deleted objects are still terminating. */
  readonly ending: boolean;
  readonly connected: boolean;
  readonly served: boolean;
  readonly restoreJob: 'absent' | 'running' | 'succeeded' | 'failed';
  readonly restoredAt: boolean;
  /** Whether a backup was loaded into the volume; MySQL keeps it in a draft. */
  readonly loaded: boolean;
  readonly mistake: 'none' | 'unsaved' | 'loadedTwice' | 'loadedOver';
}

/** A database that no pass has processed yet. */
export const first: World = {
  state: '(none)',
  open: true,
  external: false,
  backups: false,
  restores: false,
  deleting: false,
  tenMinutes: false,
  lastBackup: 'none',
  trouble: 'none',
  ...noRow,
  workload: 'absent',
  pods: 'none',
  ending: false,
  connected: false,
  served: false,
  restoreJob: 'absent',
  restoredAt: false,
  loaded: false,
  mistake: 'none',
};

const storageOf = (trouble: World['trouble']): DatabaseObserved['storage'] => {
  if (trouble === 'storage') return { is: 'awaited', limited: true, waitedMs: 0 };
  return trouble === 'storageLong' ? { is: 'awaited', limited: true, waitedMs: 900_000 } : { is: 'ready' };
};

const failures: Partial<Record<World['trouble'], DatabaseObserved['failure']>> = {
  denied: { counts: 'permanent', why: 'access denied' },
  unreached: { counts: 'waiting', why: 'the API does not answer' },
};

const ran = {
  engine: 'MySQL',
  placement: 'InCluster',
  version: '16',
  storageSize: '10Gi',
  databaseName: 'orders',
  highAvailability: false,
} as const;

const around = (world: World): DatabaseObserved => ({
  project: { name: 'shop', is: world.trouble === 'project' ? 'notReady' : 'fine' },
  environment: 'production',
  cluster: { name: 'main', ready: true },
  cloud: { name: '', is: 'none', project: '' },
  haReport: null,
  canGrow: true,
  uninstalled: '',
  storage: storageOf(world.trouble),
  workload: world.workload,
  chart: 'none',
  pods: world.pods,
  managed: null,
  ran: world.served && !world.external ? ran : null,
  restoreRefused: null,
  room: { nodes: 'fit', crowded: null },
  notActed: '',
  region: '',
  tags: [],
  connected: world.connected,
  contested: [],
  failure: failures[world.trouble] ?? null,
});

const failedToLoad = ({ restores, restoreJob, served, restoredAt, state, pods }: World) =>
  restores && restoreJob === 'failed' && !served && !restoredAt && state === 'Provisioning' && pods === 'running';

/** The result of a pass, for the counted failures. */
function outcome(world: World): Outcome {
  const { trouble } = world;
  if (trouble === 'denied') return 'forGood';
  if (trouble === 'storage' || trouble === 'unreached') return 'waited';
  return trouble === 'none' && !failedToLoad(world) ? 'fine' : 'counted';
}

const afresh = { nothing: 'stayedFailed', spec: 'generationChanged', deploy: 'redeployFound' } as const;

/** The result of the counting lifecycle in a pass. */
export function retried(world: World): RetrySeen {
  const { retry, again } = world;
  if (retry === 'over') return { state: again === 'nothing' ? 'ProvisionFailed' : 'Clean', event: afresh[again] };
  if (world.deleting || !world.open) return { state: retry === 'clean' ? 'Clean' : 'Counting', event: null };
  return retriedAfter(outcome(world), world);
}

const lastBackupOf = ({ lastBackup, workload }: World) => {
  if (workload === 'absent') return 'finished';
  return lastBackup === 'none' ? 'absent' : lastBackup;
};

/** The facts that a pass would observe in a world. */
export const factsOf = (world: World): DatabaseFacts => ({
  now: world.tenMinutes ? 600_000 : 0,
  deletedAt: world.deleting ? 0 : null,
  gate: world.open ? 'Deployed' : 'Draft',
  retry: retried(world),
  wanted: {
    engine: 'MySQL',
    placement: world.external ? 'External' : 'InCluster',
    provider: '',
    managed: false,
    highAvailability: false,
    instances: 1,
    version: '16',
    storageSize: '10Gi',
    databaseName: 'orders',
    passwordAwaited: '',
    misnamed: '',
    backup: world.backups,
    restoreFrom: world.restores,
    missing: [],
    unsupported: '',
  },
  restore: { job: world.restoreJob, recorded: world.restoredAt, served: world.served },
  around: known(around(world)),
  finalBackup: known(lastBackupOf(world)),
  remains: known(world.ending ? ['PersistentVolumeClaim shop-production/orders'] : []),
});
