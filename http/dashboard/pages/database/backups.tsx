import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Read } from '../../../api.ts';
import { pathTo } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { ArchiveCard } from '../../components/backups/archiveCard.tsx';
import { Banner, type BannerNote } from '../../components/banner/banner.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ResourceLifecycle } from '../../components/resource/lifecycle.tsx';
import type { ResourceReading } from '../../components/resource/reading.ts';
import { viewHere } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { now } from '../../store/clock.ts';
import { useLoaded } from '../../store/loaded.ts';
import { backupOf, type BackupStatus, keptDays, nextAt } from '../../model/backups.ts';
import { dayMinute } from '../../model/time.ts';
import { checkOf } from '../../model/nextCheck.ts';
import { backupWord } from '../../model/backupState.ts';
import { backupsOffHelp } from './text.ts';

interface DatabaseBackupsProps {
  readonly read: Read;
  readonly reading: ResourceReading;
}

const machine = 'databaseBackup';

/** Whether the data of a database are safe, why, until when; what can be restored; and how that came about. */
export function DatabaseBackups({ read: { resource, spec }, reading }: DatabaseBackupsProps) {
  const backup = backupOf(resource);
  const dailyAt = backup?.dailyAt ?? '';
  const nextDaily = useMemo(
    () => computed(() => (dailyAt === '' ? null : nextAt(dailyAt, now.value))),
    [dailyAt],
  ).value;
  const explanation = reading.explanations.find((one) => one.machine === machine) ?? null;
  if (backup === null)
    return (
      <Card label="Backups">
        <Empty title="Backups are off" text={backupsOffHelp}>
          <a class="button" href={viewHere('settings')}>
            Open settings
          </a>
        </Empty>
      </Card>
    );
  const { state, message, archive } = backup;
  const next = explanation && checkOf(explanation);
  return (
    <>
      <Banner
        label="Backups"
        state={state}
        shown={backupWord(state)}
        sentence={message || (explanation?.text ?? '')}
        due={next === null ? null : { label: 'Next check', ...next }}
        notes={[...notesOf(backup, nextDaily), { text: keptDays(spec) }]}
        explanation={explanation}
        actions={
          state === 'NeedsStorage' && resource.project !== '' ? (
            <a class="button" href={addressOf.projectSettings(resource.project, 'backup-storage')}>
              Choose backup storage
            </a>
          ) : undefined
        }
      />
      {archive !== '' && <Archive name={archive} />}
      <ResourceLifecycle reading={reading} what="databases" only={machine} />
    </>
  );
}

/** The backup before now and the one after it. */
const notesOf = ({ lastBackupTime }: BackupStatus, next: string | null): readonly BannerNote[] => [
  ...(lastBackupTime === '' ? [] : [{ text: `The last backup is of ${dayMinute(Date.parse(lastBackupTime))}.` }]),
  ...(next === null
    ? []
    : [{ text: `A backup is taken daily at ${dayMinute(Date.parse(next)).slice(11)}, next`, until: next }]),
];

function Archive({ name }: { readonly name: string }) {
  const loaded = useLoaded(pathTo('GET /backup-archives/{archive}', { archive: name }), ofKinds('CoreBackupArchive'));
  return (
    <>
      <Loaded of={loaded} height={240}>
        {(value) => <ArchiveCard archive={value} />}
      </Loaded>
    </>
  );
}
