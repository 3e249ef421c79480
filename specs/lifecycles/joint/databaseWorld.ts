import type {
  DatabaseState,
  DraftDeployState,
  ProvisionRetryEvent,
  ProvisionRetryState,
} from '../../../machines/names.ts';
import type { DatabaseFacts, DatabaseSeen } from '../../../rules/database/facts.ts';
import { databaseOutcome } from '../../../rules/database/ready.ts';
import { known } from '../../../rules/fact.ts';
import type { ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';
import type { Deciding, Failed } from '../../check/joint/joint.ts';
import type { Deployed } from './deployed.ts';
import { gateIn, workloadOf } from './gate.ts';
import { now, rowFacts } from './row.ts';

/** One SQLite database, in the cluster or elsewhere. */
export interface World extends Deployed {
  readonly phase: DatabaseState | '(none)' | '(deleted)';
  readonly external: boolean;
  readonly connected: boolean;
}

/** What is observed around it, and what failed in this pass. */
const seenOf = (world: World, gate: DraftDeployState, failure: Failed | null): DatabaseSeen => ({
  gate,
  wanted: {
    engine: 'SQLite',
    placement: world.external ? 'External' : 'InCluster',
    provider: '',
    managed: false,
    highAvailability: world.trouble === 'forGood' && !world.external,
    instances: 1,
    version: '16',
    storageSize: '10Gi',
    databaseName: 'orders',
    passwordAwaited: '',
    misnamed: '',
    backup: false,
    restoreFrom: false,
    missing: world.trouble === 'forGood' && world.external ? ['host'] : [],
    unsupported: '',
  },
  restore: { job: 'absent', recorded: false, served: false },
  project: { name: 'shop', is: world.trouble === 'counts' ? 'notReady' : 'fine' },
  environment: 'production',
  cluster: { name: 'main', ready: true },
  cloud: { name: '', is: 'none', project: '' },
  haReport: { ready: true, healthyNodes: 3 },
  storage: world.trouble === 'waits' ? { is: 'awaited', limited: false, waitedMs: 0 } : { is: 'ready' },
  workload: workloadOf(world, gate),
  chart: 'none',
  pods: world.pods,
  managed: null,
  ran: null,
  restoreRefused: null,
  room: { nodes: 'fit', crowded: null },
  notActed: '',
  region: '',
  canGrow: true,
  uninstalled: '',
  tags: [],
  connected: world.connected,
  contested: [],
  failure,
});

export const retryFacts = (world: World, deciding: Deciding): ProvisionRetryFacts => ({
  ...rowFacts(world.row),
  deleted: world.deleting,
  rowOf: 'anyKind',
  outcome: known(databaseOutcome(seenOf(world, gateIn(deciding), deciding.failure))),
});

export function databaseFacts(world: World, deciding: Deciding): DatabaseFacts {
  const gate = gateIn(deciding);
  const { wanted, restore, ...around } = seenOf(world, gate, deciding.failure);
  const retry = deciding.others['provisionRetry'];
  return {
    now,
    deletedAt: world.deleting ? now : null,
    gate,
    retry: {
      state: (retry?.state ?? 'Clean') as ProvisionRetryState,
      event: (retry?.event ?? null) as ProvisionRetryEvent['type'] | null,
    },
    wanted,
    restore,
    around: known(around),
    finalBackup: known('finished'),
    remains: known(world.ending ? ['PersistentVolumeClaim shop-production/orders'] : []),
  };
}
