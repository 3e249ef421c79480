import type { Explanation, Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { ofKinds } from '../../kinds/service/concerns.ts';
import { ArchiveCard } from '../../parts/backups/archiveCard.tsx';
import { Banner } from '../../parts/banner/banner.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { viewHere } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { backupOf, backupWord, utcMinute } from '../../words/backups.ts';

interface DatabaseBackupsProps {
  readonly read: Read;
  readonly explanations: readonly Explanation[];
}

/** Whether the data of a database are safe, why, until when; and what can be restored. */
export function DatabaseBackups({ read: { resource }, explanations }: DatabaseBackupsProps) {
  const backup = backupOf(resource);
  const explanation = explanations.find(({ machine }) => machine === 'databaseBackup') ?? null;
  if (backup === null)
    return (
      <section class="card" aria-label="Backups">
        <Empty title="Backups are off" text="Turned on, the database can be restored to any day that is kept.">
          <a class="button" href={viewHere('settings')}>
            Open settings
          </a>
        </Empty>
      </section>
    );
  const { state, message, archive, lastBackupTime } = backup;
  const next = explanation?.nextLook ?? null;
  return (
    <>
      <Banner
        label="Backups"
        state={state}
        shown={backupWord(state)}
        sentence={message}
        due={next === null ? null : { word: 'Next check', at: next }}
        notes={lastBackupTime === '' ? [] : [{ text: `The last backup is of ${utcMinute(lastBackupTime)}.` }]}
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
    </>
  );
}

function Archive({ name }: { readonly name: string }) {
  const { value, failed, readAt, reload } = useLoaded<Read>(api.archive(name), ofKinds('CoreBackupArchive'));
  return (
    <>
      <Failed failed={failed} readAt={readAt} retry={reload} />
      {value === null && failed === null && <Skeleton height={240} />}
      {value && <ArchiveCard archive={value} />}
    </>
  );
}
