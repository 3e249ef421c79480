import type { Condition } from './server.ts';

type StatedCondition = Omit<Condition, 'lastTransitionTime'>;

const isReady = {
  type: 'Ready',
  status: 'True',
  reason: 'ClusterIsReady',
  message: 'Cluster is Ready',
} as const satisfies StatedCondition;

/** The conditions of the Postgres operator, verbatim. */
export const conditions = {
  bootstrapPending: {
    type: 'Initialized',
    status: 'False',
    reason: 'BootstrapPending',
    message: 'Cluster has not been bootstrapped yet',
  },
  bootstrapped: {
    type: 'Initialized',
    status: 'True',
    reason: 'BootstrapCompleted',
    message: 'Cluster has been bootstrapped',
  },
  isReady,
  isNotReady: { type: 'Ready', status: 'False', reason: 'ClusterIsNotReady', message: 'Cluster Is Not Ready' },
  archiving: {
    type: 'ContinuousArchiving',
    status: 'True',
    reason: 'ContinuousArchivingSuccess',
    message: 'Continuous archiving is working',
  },
  notArchiving: {
    type: 'ContinuousArchiving',
    status: 'False',
    reason: 'ContinuousArchivingFailing',
    message: 'unexpected failure invoking barman-cloud-wal-archive: exit status 1',
  },
  backupStarted: {
    type: 'LastBackupSucceeded',
    status: 'False',
    reason: 'BackupStarted',
    message: 'New Backup starting up',
  },
  backupSucceeded: {
    type: 'LastBackupSucceeded',
    status: 'True',
    reason: 'LastBackupSucceeded',
    message: 'Backup was successful',
  },
  backupFailed: (message: string): StatedCondition => ({
    type: 'LastBackupSucceeded',
    status: 'False',
    reason: 'LastBackupFailed',
    message,
  }),
} as const;

/** Whether a condition has that status and reason. */
export const isSaid = (all: readonly Condition[] | undefined, { type, status, reason }: StatedCondition): boolean =>
  all?.some((one) => one.type === type && one.status === status && one.reason === reason) ?? false;

/** Replaces conditions of the same type; the time changes only with the status. */
export function withConditions(
  all: readonly Condition[] | undefined,
  said: readonly StatedCondition[],
  at: string,
): readonly Condition[] {
  const known = all ?? [];
  const timed = said.map((one): Condition => {
    const before = known.find(({ type, status }) => type === one.type && status === one.status);
    return { ...one, lastTransitionTime: before?.lastTransitionTime ?? at };
  });
  const next = known.map((one) => timed.find(({ type }) => type === one.type) ?? one);
  return [...next, ...timed.filter(({ type }) => !known.some((one) => one.type === type))];
}
