import type { DatabaseState } from '../../../machines/names.ts';
import type { DatabaseFacts, DatabaseSurroundings } from '../../../rules/database/facts.ts';
import { known } from '../../../rules/fact.ts';

/** One MySQL database, what others do to it, and a memory of what became of its data. */
export interface World {
  readonly state: DatabaseState | '(none)' | '(deleted)';
  readonly open: boolean;
  readonly asked: boolean;
  readonly room: boolean;
  readonly external: boolean;
  readonly backups: boolean;
  readonly restores: boolean;
  readonly deleting: boolean;
  readonly tenMinutes: boolean;
  readonly lastBackup: 'none' | 'running' | 'finished';
  readonly trouble: 'none' | 'project' | 'storage' | 'storageLong' | 'denied';
  readonly retry: DatabaseFacts['retry'];
  /** Whether the spec changed since it was given up. */
  readonly changed: boolean;
  readonly workload: 'absent' | 'stale' | 'current';
  readonly pods: 'none' | 'starting' | 'running';
  /** Whether what was deleted is still ending. */
  readonly ending: boolean;
  readonly connected: boolean;
  readonly served: boolean;
  readonly restoreJob: 'absent' | 'running' | 'succeeded';
  readonly restoredAt: boolean;
  /** Whether a backup was loaded into the volume; MySQL keeps it in a draft. */
  readonly loaded: boolean;
  readonly mistake: 'none' | 'unsaved' | 'loadedTwice' | 'loadedOver';
}

/** A database nobody has looked at yet. */
export const first: World = {
  state: '(none)',
  open: true,
  asked: false,
  room: false,
  external: false,
  backups: false,
  restores: false,
  deleting: false,
  tenMinutes: false,
  lastBackup: 'none',
  trouble: 'none',
  retry: 'clean',
  changed: false,
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

const storageOf = (trouble: World['trouble']): DatabaseSurroundings['storage'] => {
  if (trouble === 'storage') return { is: 'awaited', limited: true, waitedMs: 0 };
  return trouble === 'storageLong' ? { is: 'awaited', limited: true, waitedMs: 900_000 } : { is: 'ready' };
};

const around = (world: World): DatabaseSurroundings => ({
  project: { name: 'shop', is: world.trouble === 'project' ? 'notReady' : 'fine' },
  environment: 'production',
  cluster: { name: 'main', ready: true },
  cloud: { name: '', is: 'none', project: '' },
  snapshotMissing: false,
  haReport: null,
  storage: storageOf(world.trouble),
  workload: world.workload,
  chart: 'none',
  pods: world.pods,
  managed: null,
  crowded: null,
  nodes: 'fit',
  region: '',
  tags: [],
  connected: world.connected,
  failure: world.trouble === 'denied' ? { permanent: true, why: 'access denied' } : null,
});

/** What a pass would see of a world. */
export const factsOf = (world: World): DatabaseFacts => ({
  now: world.tenMinutes ? 600_000 : 0,
  deletedAt: world.deleting ? 0 : null,
  workflow: true,
  deployEnabled: world.open,
  asked: world.asked ? 'deploy' : null,
  wanted: {
    engine: 'MySQL',
    placement: world.external ? 'External' : 'InCluster',
    provider: '',
    managed: false,
    highAvailability: false,
    instances: 1,
    backup: world.backups,
    restoreFrom: world.restores,
    missing: [],
  },
  restore: { job: world.restoreJob, recorded: world.restoredAt, served: world.served },
  generation: world.changed ? 2 : 1,
  failedGeneration: 1,
  retry: world.retry,
  around: known(around(world)),
  room: known(world.room ? 1 : 0),
  finalBackup: known(world.lastBackup === 'finished' || world.workload === 'absent' ? 'finished' : 'unfinished'),
  remains: known(world.ending),
});
