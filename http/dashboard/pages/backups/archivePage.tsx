import type { Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { useProjects } from '../../kinds/lists.ts';
import { ofKinds } from '../../kinds/service/concerns.ts';
import { ArchiveCard } from '../../parts/backups/archiveCard.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Gone } from '../../parts/gone.tsx';
import { Failed, Note, Skeleton } from '../../parts/note.tsx';
import { isGone } from '../../parts/resource/head.tsx';
import { Value } from '../../parts/value.tsx';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { keptWord, purgedWord } from '../../words/backups.ts';
import { detailOf } from '../../words/details.ts';
import { projectWord } from '../../words/project.ts';

/** The backups of one database, which may be gone. */
export function ArchivePage({ name }: { readonly name: string }) {
  const { value, failed, readAt, reload } = useLoaded<Read>(api.archive(name), ofKinds('CoreBackupArchive'));
  const id = `corebackuparchives:${name}`;
  return (
    <Frame title={name}>
      <div class="stack">
        <h1>{name}</h1>
        {isGone(failed) ? (
          <Gone machine="backupArchive" id={id} error={failed?.error ?? ''} />
        ) : (
          <Failed failed={failed} readAt={readAt} retry={reload} />
        )}
        {value === null && failed === null && <Skeleton height={360} />}
        {value && (
          <div class="columns">
            <Facts archive={value} id={id} />
            <div class="stack">
              {purgedWord(value.resource) !== '' && <Note tone="waiting">{purgedWord(value.resource)}</Note>}
              <ArchiveCard archive={value} />
            </div>
          </div>
        )}
      </div>
    </Frame>
  );
}

function Facts({ archive: { resource, spec }, id }: { readonly archive: Read; readonly id: string }) {
  const projects = useProjects().value?.items;
  const days = spec['retentionDays'];
  return (
    <section class="card aside" aria-label="Facts">
      <div class="card-head">
        <h2>Facts</h2>
        <a class="row-end" href={addressOf.instance('backupArchive', id)}>
          Lifecycle
        </a>
      </div>
      <dl class="facts facts-panel">
        <Fact name="Database">
          <a href={addressOf.namedDatabase(detailOf(resource, 'database'))}>{detailOf(resource, 'database')}</a>
        </Fact>
        <Fact name="Engine">
          <Value value={detailOf(resource, 'engine')} redacted>
            {(engine) => <>{engine}</>}
          </Value>
        </Fact>
        <Fact name="Place">
          {projectWord(resource.project, projects)} / {resource.environment}
        </Fact>
        <Fact name="Days kept">{typeof days === 'number' ? days : 7}</Fact>
        <Fact name="Kept">{keptWord(resource)}</Fact>
      </dl>
    </section>
  );
}
