import type {
  DatabaseState,
  DraftDeployState,
  ProvisionRetryEvent,
  ProvisionRetryState,
} from '../../../machines/names.ts';
import type { DatabaseFacts, DatabaseSeen } from '../../../rules/database/facts.ts';
import { databaseOutcome } from '../../../rules/database/ready.ts';
import type { DeployStored, DraftDeployFacts } from '../../../rules/draftDeploy/facts.ts';
import { known } from '../../../rules/fact.ts';
import type { ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';
import type { Deciding, Failed } from '../../check/joint/joint.ts';
import { now, type Row, rowFacts } from './row.ts';

type Version = 0 | 1;

/** One SQLite database, in the cluster or outside: its objects, what runs of it, and what an observer remembers. */
export interface World {
  /** `status.phase`. */
  readonly phase: DatabaseState | '(none)' | '(deleted)';
  /** The last recorded state of the gate. */
  readonly gate: DraftDeployState | '(none)';
  readonly external: boolean;
  readonly enabled: boolean;
  readonly workflow: boolean;
  readonly pending: boolean;
  readonly spec: Version;
  readonly snapshot: Version | null;
  readonly row: Row;
  /** The obstacle: a temporary one, a counted error, or a permanent one. */
  readonly trouble: 'none' | 'waits' | 'counts' | 'forGood';
  readonly runs: Version | null;
  readonly pods: 'none' | 'starting' | 'running' | 'failed';
  readonly connected: boolean;
  readonly deleting: boolean;
  /** Whether deleted objects are still terminating. */
  readonly ending: boolean;
  /** The version that was last deployed, or written without a gate; null for a draft. */
  readonly approved: Version | null;
}

export const stored = ({ enabled, workflow, pending, snapshot }: World): DeployStored => ({
  enabled,
  workflow,
  pending: pending ? ['settings'] : [],
  snapshot: snapshot !== null,
});

const versions = (from: Version, to: Version) => (from === to ? [] : ['spec.version']);

/** The facts of the gate; a save replaces the version. */
export function gateFacts(world: World, { command }: Deciding): DraftDeployFacts {
  const { spec, snapshot } = world;
  const next = command?.['asked'] === 'save' ? other(spec) : spec;
  return {
    now,
    kind: 'database',
    stored: stored(world),
    deleted: world.deleting,
    asked: null,
    changed: versions(spec, next),
    differing: versions(snapshot ?? spec, next),
    room: { is: 'enough' },
  };
}

export const other = (version: Version): Version => (version === 0 ? 1 : 0);

/** The version that runs in a state of the gate; null for nothing, or for nothing new. */
export const running = ({ spec, snapshot }: World, gate: DraftDeployState): Version | null => {
  if (gate === 'Ungated') return spec;
  if (gate === 'Deployed') return snapshot ?? spec;
  return gate === 'PendingChanges' ? snapshot : null;
};

function workloadOf(world: World, gate: DraftDeployState): 'absent' | 'stale' | 'current' {
  if (world.runs === null) return 'absent';
  const wanted = running(world, gate);
  return wanted === null || wanted === world.runs ? 'current' : 'stale';
}

/** What is observed around it, and what failed in this pass. */
export const seenOf = (world: World, gate: DraftDeployState, failure: Failed | null): DatabaseSeen => ({
  gate,
  wanted: {
    engine: 'SQLite',
    placement: world.external ? 'External' : 'InCluster',
    provider: '',
    managed: false,
    highAvailability: world.trouble === 'forGood' && !world.external,
    instances: 1,
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
  crowded: null,
  nodes: 'fit',
  region: '',
  tags: [],
  connected: world.connected,
  contested: [],
  failure,
});

const gateIn = ({ others }: Deciding): DraftDeployState =>
  (others['draftDeploy']?.state ?? 'Draft') as DraftDeployState;

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
    remains: known(world.ending),
  };
}
