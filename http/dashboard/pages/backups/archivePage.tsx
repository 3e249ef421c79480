import type { Explanation, Read, Summary } from '../../../api.ts';
import { pathTo } from '../../api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { useProjects } from '../../kindPages/lists.ts';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { ArchiveCard } from '../../components/backups/archiveCard.tsx';
import { useDue } from '../../components/backups/due.ts';
import { Banner } from '../../components/banner/banner.tsx';
import { code, Fact, FactsCard } from '../../components/fact.tsx';
import { Frame } from '../../components/frame.tsx';
import { Gone } from '../../components/gone.tsx';
import { lazyPart } from '../../components/lazy.tsx';
import { Value } from '../../components/value.tsx';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { archiveWord, keptWord, nextTryWord, purgeReason, archiveMessage } from '../../model/backups.ts';
import { detailOf } from '../../model/details.ts';
import { checkOf } from '../../model/nextCheck.ts';
import { projectWord } from '../../model/project.ts';

const Lifecycle = lazyPart(async () => (await import('../../components/lifecycle.tsx')).Lifecycle);
const isOfArchives = ofKinds('CoreBackupArchive');

/** The backups of one database, which may be gone. */
export function ArchivePage({ name }: { readonly name: string }) {
  const loaded = useLoaded(pathTo('GET /backup-archives/{archive}', { archive: name }), isOfArchives);
  const explained = useLoaded(pathTo('GET /backup-archives/{archive}/explain', { archive: name }), isOfArchives);
  const explanation = explained.value?.items[0] ?? null;
  const id = `corebackuparchives:${name}`;
  return (
    <Frame title={name}>
      <div class="stack">
        <h1>{name}</h1>
        <Loaded
          of={loaded}
          height={360}
          gone={(error) => <Gone machine="backupArchive" id={id} what="archive" name={name} error={error} />}
        >
          {(archive) => (
            <>
              <ArchiveBanner archive={archive.resource} explanation={explanation} />
              <div class="columns">
                <Facts archive={archive} />
                <ArchiveCard archive={archive} />
              </div>
              <Lifecycle
                id={id}
                name={name}
                what="backups"
                path={pathTo('GET /backup-archives/{archive}/transitions', { archive: name })}
                explained={explained}
              />
            </>
          )}
        </Loaded>
      </div>
    </Frame>
  );
}

interface ArchiveBannerProps {
  readonly archive: Summary;
  readonly explanation: Explanation | null;
}

function ArchiveBanner({ archive, explanation }: ArchiveBannerProps) {
  const next = explanation && checkOf(explanation);
  return (
    <Banner
      state={archive.state}
      shown={archiveWord(archive.state)}
      sentence={archiveMessage(archive, useDue(archive), explanation?.text ?? '')}
      due={next === null ? null : { label: nextTryWord(archive), ...next }}
      explanation={explanation}
    />
  );
}

function Facts({ archive: { resource, spec } }: { readonly archive: Read }) {
  const projects = useProjects().value?.items;
  const days = spec['retentionDays'];
  const reason = purgeReason(resource);
  return (
    <FactsCard>
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
      <Fact name="Kept">{keptWord(resource, useDue(resource))}</Fact>
      {reason !== '' && <Fact name="Purged">no: {code(reason)}</Fact>}
    </FactsCard>
  );
}
