import type { KindWithHealth } from '../../../rules/health/kinds.ts';
import type { HealthFacts, HealthStatus } from '../../../rules/health/health.ts';

/** A state of a machine as it is stored, and the health that it is, by hand from specs/tables. */
export interface HealthState {
  readonly kind: KindWithHealth;
  /** The machine whose state it is; null for a kind that has none. */
  readonly machine: string | null;
  readonly state: string;
  readonly status: NonNullable<HealthFacts['status']>;
  readonly health: HealthStatus;
}

type Row = readonly [state: string, status: HealthState['status'], health: HealthStatus];

const rows = (kind: KindWithHealth, machine: string | null, given: readonly Row[]): readonly HealthState[] =>
  given.map(([state, status, health]) => ({
    kind,
    machine,
    state,
    health,
    status: { observedGeneration: 2, ...status },
  }));

const ready = (status: 'True' | 'False' | 'Unknown', message = 'what Ready says') => ({
  conditions: [{ type: 'Ready', status, message }],
});

/** States of which the condition Ready is what counts. */
const judged: readonly Row[] = [
  ['not judged', {}, 'InProgress'],
  ['True', ready('True'), 'Current'],
  ['False', ready('False'), 'InProgress'],
  ['Unknown', ready('Unknown'), 'InProgress'],
];

const provisioned = (kind: KindWithHealth, machine: string): readonly HealthState[] =>
  rows(kind, machine, [
    ['(none)', {}, 'InProgress'],
    ['Provisioning', { phase: 'Provisioning', ...ready('False') }, 'InProgress'],
    ['Ready', { phase: 'Ready', ...ready('True') }, 'Current'],
    ['Ready', { phase: 'Ready', ...ready('False') }, 'InProgress'],
    ['ProvisionFailed', { phase: 'ProvisionFailed', ...ready('False') }, 'Failed'],
    ['Deleting', { phase: 'Deleting', ...ready('False') }, 'InProgress'],
  ]);

const drafted = (kind: KindWithHealth, machine: string): readonly HealthState[] => [
  ...provisioned(kind, machine),
  ...rows(kind, machine, [['Draft', { phase: 'Draft', ...ready('False') }, 'Suspended']]),
];

/** Every state of every machine that has a kind with a health. */
export const healthStates: readonly HealthState[] = [
  ...drafted('CoreApp', 'service'),
  ...rows('CoreApp', 'service', [['Asleep', { phase: 'Asleep', ...ready('False') }, 'Current']]),
  ...rows('CoreApp', 'provisionRetry', [
    ['Clean', { phase: 'Ready', reconcileRetry: {}, ...ready('True') }, 'Current'],
    ['Counting', { phase: 'Provisioning', reconcileRetry: { gaveUp: false }, ...ready('False') }, 'InProgress'],
    ['ProvisionFailed', { phase: 'Ready', reconcileRetry: { gaveUp: true }, ...ready('False') }, 'Failed'],
  ]),
  ...drafted('CoreDatabase', 'database'),
  ...rows('CoreDatabase', 'database', [['FinalBackup', { phase: 'FinalBackup', ...ready('False') }, 'InProgress']]),
  ...drafted('CoreObjectStore', 'objectStore'),
  ...provisioned('CoreLogicalDatabase', 'logicalDatabase'),
  ...rows('CoreProject', 'projectReady', [
    ['Reconciling', { phase: 'Reconciling', ...ready('Unknown') }, 'InProgress'],
    ['ReconcileError', { phase: 'ReconcileError', ...ready('False') }, 'InProgress'],
    ['ProjectReady', { phase: 'ProjectReady', ...ready('True') }, 'Current'],
    ['ProvisionFailed', { phase: 'ProvisionFailed', ...ready('False', '') }, 'Failed'],
  ]),
  ...rows('CoreBuild', 'build', [
    ['Pending', {}, 'InProgress'],
    ['Pending', { phase: 'Pending' }, 'InProgress'],
    ['WaitingForCI', { phase: 'WaitingForCI' }, 'InProgress'],
    ['Running', { phase: 'Running', logRef: 'build-1' }, 'InProgress'],
    ['FailedBeforeJob', { phase: 'Failed' }, 'InProgress'],
    ['FailedBeforeJob', { phase: 'Failed', logRef: '' }, 'InProgress'],
    ['Failed', { phase: 'Failed', logRef: 'build-1' }, 'Failed'],
    ['Succeeded', { phase: 'Succeeded', logRef: 'build-1' }, 'Current'],
    ['Cancelled', { phase: 'Cancelled' }, 'Failed'],
    ['Unrecognised', { phase: 'Elsewhere' }, 'InProgress'],
  ]),
  ...rows('CoreConsoleSession', 'consoleSession', [
    ['Pending', {}, 'InProgress'],
    ['Active', { phase: 'Active' }, 'Current'],
    ['Attached', { phase: 'Active' }, 'Current'],
    ['Expired', { phase: 'Expired' }, 'Current'],
    ['Closed', { phase: 'Closed' }, 'Current'],
  ]),
  ...rows('CoreDeployment', 'deploymentRecord', [
    ['Recorded', {}, 'Current'],
    ['Recorded', { phase: 'Recorded' }, 'Current'],
  ]),
  ...rows('CoreDeployment', 'activeDeployment', [
    ['RollingOut', { phase: 'RollingOut' }, 'InProgress'],
    ['Available', { phase: 'Available' }, 'Current'],
  ]),
  ...rows('CoreBackupArchive', 'backupArchive', [
    ['Protected', {}, 'Current'],
    ['Retired', { conditions: [{ type: 'Purged', status: 'False', message: 'no' }] }, 'Current'],
  ]),
  ...rows('CorePlatformConfig', null, [['any', { conditions: [] }, 'Current']]),
  ...(['CoreCloudConnection', 'CoreCluster', 'CoreGitHostConnection', 'CoreHAReadiness', 'CoreNode'] as const).flatMap(
    (kind) => rows(kind, null, judged),
  ),
];

/** The objects over which every program that reads health is tried: each state, and what outranks it. */
export const healthObjects = healthStates.flatMap(({ kind, state, status, health }) => {
  const { observedGeneration: _, ...unseen } = status;
  const of = (name: string, metadata: HealthFacts['metadata'], object: Partial<HealthFacts>, is: HealthStatus) => ({
    kind,
    name: `${kind} ${state} ${name}`,
    object: { metadata, ...object },
    is,
  });
  const paused = { 'core.platform/paused': 'true' };
  return [
    of('as it is', { generation: 2 }, { status }, health),
    of('with other annotations', { generation: 2, annotations: { a: 'b' } }, { status }, health),
    of('edited since', { generation: 3 }, { status }, 'InProgress'),
    of('never decided over', { generation: 2 }, { status: unseen }, 'InProgress'),
    of('paused', { generation: 3, annotations: paused }, { status }, 'Suspended'),
    of(
      'deleted',
      { generation: 2, deletionTimestamp: '2027-01-01T00:00:00Z', annotations: paused },
      { status },
      'Terminating',
    ),
    of('new', { generation: 1 }, {}, 'InProgress'),
  ];
});
