import type { Summary } from '../../../api.ts';
import { useArchives, useProjects } from '../../kinds/lists.ts';
import { Columns } from '../../parts/columns.tsx';
import { DataTabs } from '../../parts/dataTabs.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { addressOf } from '../../routes.ts';
import { keptWord, purgedWord, utcMinute } from '../../words/backups.ts';
import { detailOf } from '../../words/details.ts';
import { projectWord } from '../../words/project.ts';

/** The backups of every database, also of those that are gone. */
export function ArchivesPage() {
  const { value, failed, readAt, reload } = useArchives();
  const projects = useProjects().value?.items;
  return (
    <Frame title="Backups">
      <div class="stack">
        <div>
          <h1>Backups</h1>
          <p class="muted">The backups of every database. They outlive it for as long as they are kept.</p>
        </div>
        <DataTabs current="backups" />
        <Failed failed={failed} readAt={readAt} retry={reload} />
        {value === null && failed === null && <Skeleton height={360} />}
        {value && (
          <section class="card" aria-label="Backups">
            {value.items.length === 0 ? (
              <Empty title="No backup yet" text="The first one is made once a database with backups is ready." />
            ) : (
              <Table archives={value.items} wordOf={(name) => projectWord(name, projects)} />
            )}
          </section>
        )}
      </div>
    </Frame>
  );
}

interface TableProps {
  readonly archives: readonly Summary[];
  readonly wordOf: (project: string) => string;
}

const Table = ({ archives, wordOf }: TableProps) => (
  <div class="scroll-x">
    <table>
      <Columns names={['Backups', 'Project', 'Database', 'Last backup', 'Kept', 'Purge']} />
      <tbody>
        {archives.map((archive) => (
          <tr key={archive.name}>
            <td>
              <a class="strong" href={addressOf.backup(archive.name)}>
                {archive.displayName}
              </a>
            </td>
            <td>
              {wordOf(archive.project)} / {archive.environment}
            </td>
            <td>{detailOf(archive, 'database')}</td>
            <td class="nowrap">
              {detailOf(archive, 'lastBackupTime') === '' ? 'none yet' : utcMinute(detailOf(archive, 'lastBackupTime'))}
            </td>
            <td>{keptWord(archive)}</td>
            <td class="small">{purgedWord(archive)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
