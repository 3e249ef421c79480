import { systemNamespace } from '../../crds/names.ts';
import { byJob } from '../cause/job.ts';
import { causeOfMissing } from '../cause/missingSource.ts';
import { type CauseRule, firstOf, found, itself } from '../cause/rule.ts';
import { byServer } from '../cause/server.ts';
import { byUnwritten, overwrittenCauses } from '../cause/unwritten.ts';
import type { Tried } from '../provision/ready.ts';
import { isoTime } from '../time.ts';
import { hidden, nothing, open, sentence, toObservers, toViewers } from '../words.ts';
import { pgOperatorName, releaseOf } from './charts.ts';
import type { DatabaseSeen } from './facts.ts';

type Rule = CauseRule<DatabaseSeen>;

export const projectOf = ({ project }: DatabaseSeen) => ({ kind: 'CoreProject', name: project.name });
export const clusterOf = ({ cluster }: DatabaseSeen) => ({ kind: 'CoreCluster', name: cluster.name });
export const connectionOf = ({ cloud }: DatabaseSeen) => ({ kind: 'CoreCloudConnection', name: cloud.name });

const archiveOf = ({ restoreRefused }: DatabaseSeen) => ({
  kind: 'CoreBackupArchive',
  name: restoreRefused?.archive ?? '',
});

/** Backups that cannot be restored: not yet, because of their storage, or never. */
export const byRefusedRestore = {
  waiting: found<DatabaseSeen>(['Restoring'], (seen, { self, message }) => [
    { reason: 'Restoring', severity: 'waiting', message, on: { ...archiveOf(seen), namespace: self.namespace } },
  ]),
  counted: itself<DatabaseSeen>('BackupStorageFailing', archiveOf),
  permanent: itself<DatabaseSeen>('SettingRefused', archiveOf),
} as const;

/** Too few healthy nodes in the newest report of them, or no report. */
export const byReadiness = (haNodes: number): Rule =>
  found(['ReadinessReportMissing'], ({ haReport }, { self }) => [
    {
      reason: 'ReadinessReportMissing',
      message:
        haReport === null
          ? open('there is no report of healthy nodes')
          : sentence('{count} of {wanted} healthy nodes{checked}', {
              count: toViewers(haReport.healthyNodes),
              wanted: toViewers(haNodes),
              checked:
                haReport.checkedAt === undefined
                  ? nothing
                  : sentence(', checked {time}', { time: toViewers(haReport.checkedAt) }),
            }),
      on: haReport?.name === undefined ? self : { ...self, kind: 'CoreHAReadiness', name: haReport.name },
    },
  ]);

/** A storage class that is not there; where the wait is limited, until when. */
export const byStorageClass = (storageWaitMs: number): Rule =>
  found(['StorageClassMissing'], ({ storage }) => {
    if (storage.is !== 'awaited') return [];
    const { class: name = '', since, limited } = storage;
    const until =
      limited && since !== undefined
        ? sentence('; it is awaited until {time}', { time: toViewers(isoTime(since + storageWaitMs)) })
        : nothing;
    return [
      {
        reason: 'StorageClassMissing',
        message: sentence('storage class "{class}" is not there{until}', { class: hidden(name), until }),
        on: { kind: 'StorageClass', name, namespace: '' },
      },
    ];
  });

/** A chart that is being installed, or whose Job fails. */
export const byChart: Rule = firstOf<DatabaseSeen>(
  byJob('ChartFailed', 'chart'),
  found(['ChartInstalling'], ({ wanted: { engine } }, { self, message }) => {
    const name = engine === 'MySQL' || engine === 'Redis' ? releaseOf(self.name, engine) : pgOperatorName;
    return [{ reason: 'ChartInstalling', message, on: { kind: 'HelmChart', name, namespace: systemNamespace } }];
  }),
);

/** Pods that start, or all failed; a chart whose Job failed has none. */
export const byPods: Rule = firstOf<DatabaseSeen>(byJob('ChartFailed', 'chart'), byServer, itself('CopiesStarting'));

const restoring = found<DatabaseSeen>(['Restoring'], (_, { job }) => {
  const seen = job?.('restore');
  if (seen === undefined) return [];
  const { on, startedAt } = seen;
  const message = sentence('{job} loads the backup since {time}', {
    job: toObservers(on.name),
    time: toViewers(startedAt),
  });
  return [{ reason: 'Restoring', message, on }];
});

/** A backup that is being loaded: by its Job, else by the pods that it waits for. */
export const byRestore: Rule = firstOf<DatabaseSeen>(
  byJob('RestoreFailed', 'restore'),
  restoring,
  byServer,
  itself('Restoring'),
);

export const byFailedRestore: Rule = firstOf<DatabaseSeen>(byJob('RestoreFailed', 'restore'), itself('RestoreFailed'));

/** The Secret with the password of an external database, or its key. */
export const byPassword: Rule = found(['SecretMissing', 'KeyMissing'], ({ wanted }, { self }) => [
  causeOfMissing({
    what: wanted.passwordAwaited,
    on: { kind: 'Secret', name: wanted.passwordAwaited, namespace: self.namespace },
    key: wanted.passwordKey ?? null,
    variable: null,
  }),
]);

/** What of a database is still to be written, or kept from what it should be by another manager. */
export const byParts: CauseRule<DatabaseSeen & Pick<Tried, 'gaveUp'>> = firstOf<DatabaseSeen & Pick<Tried, 'gaveUp'>>(
  byServer,
  found(['Contested'], ({ contested }, { self }) => overwrittenCauses(contested, self)),
  byUnwritten,
);
