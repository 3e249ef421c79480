import { useEffect } from 'preact/hooks';
import type { Summary } from '../../../api.ts';
import { Table } from '../../components/table/table.tsx';
import { archives as listOfArchives } from '../../kindPages/lists.ts';
import { everything, type Filter, readFilter, writeFilter } from '../../model/filter.ts';
import { useDue } from '../../components/backups/due.ts';
import { Empty } from '../../components/empty.tsx';
import { ChoiceField } from '../../components/filter/choiceField.tsx';
import { FilterBar } from '../../components/filter/filterBar.tsx';
import { NoMatch } from '../../components/filter/noMatch.tsx';
import { ListEnd } from '../../components/listEnd.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { address, go } from '../../router.ts';
import { Countdown } from '../../components/times.tsx';
import { addressOf } from '../../routes.ts';
import { fleetOf } from '../../store/fleet.ts';
import type { LongList } from '../../store/longList.ts';
import { isWhole } from '../../store/pages.ts';
import { archiveStates, enginesOf, projectsOf, shownArchives } from './model.ts';
import { archiveWord, keptWord, nextTryWord, purgedWord } from '../../model/backups.ts';
import { dayMinute } from '../../model/time.ts';
import { countWord } from '../../model/listCount.ts';
import { detailOf } from '../../model/details.ts';
import { checkOf } from '../../model/nextCheck.ts';
import { byState, countedStates } from '../../model/stateCounts.ts';
import { DataPage } from '../data/dataPage.tsx';
import { pageHelp, noArchiveText } from './text.ts';

/** The backups of every database, also of those that are gone. */
export const ArchivesPage = () => (
  <DataPage
    title="Backups"
    help={pageHelp}
    tab="backups"
    of={listOfArchives}
    empty={<Empty title="No backup yet" text={noArchiveText} />}
    table={(list, wordOf) => <Filtered list={list} wordOf={wordOf} />}
  />
);

const addressWith = (filter: Filter): string => `${addressOf.backups()}${writeFilter(filter)}`;
const change = (filter: Filter) => go(addressWith(filter), 'replace');

interface FilteredProps extends Pick<ArchiveTableProps, 'wordOf'> {
  readonly list: LongList<Summary>;
}

/** The archives, filtered by the address; all are read in the background, for the filter knows more than the server. */
function Filtered({ list, wordOf }: FilteredProps) {
  const archives = list.value?.items ?? [];
  const hasMore = list.value !== null && !isWhole(list.value);
  useEffect(() => list.want(Infinity), []);
  const filter = readFilter(address.value.search, ['project', 'engine']);
  const shown = shownArchives(archives, filter, wordOf);
  const choose = (name: 'project' | 'engine') => (chosen: string) =>
    change({ ...filter, own: { ...filter.own, [name]: chosen } });
  return (
    <>
      <FilterBar
        what="backups"
        filter={filter}
        addressOf={addressWith}
        states={countedStates(byState(archives), archiveStates)}
        count={countWord({
          shown: shown.length,
          read: archives.length,
          hasMore,
          total: hasMore ? null : archives.length,
        })}
        moves={false}
      >
        <ChoiceField
          label="Project"
          value={filter.own['project'] ?? ''}
          options={projectsOf(archives)}
          onChange={choose('project')}
        />
        <ChoiceField
          label="Engine"
          value={filter.own['engine'] ?? ''}
          options={enginesOf(archives)}
          onChange={choose('engine')}
        />
      </FilterBar>
      {shown.length === 0 && !hasMore && <NoMatch what="backup" onClear={() => change(everything)} />}
      {shown.length > 0 && <ArchiveTable archives={shown} wordOf={wordOf} />}
      {hasMore && <ListEnd failed={list.failed} onRetry={list.readOn} />}
    </>
  );
}

interface ArchiveTableProps {
  readonly archives: readonly Summary[];
  readonly wordOf: (project: string) => string;
}

const ArchiveTable = ({ archives, wordOf }: ArchiveTableProps) => (
  <Table
    columns={[
      {
        label: 'State',
        cell: (archive) => (
          <>
            <StateChip state={archive.state} shown={archiveWord(archive.state)} />
            {purgedWord(archive) !== '' && <NotPurged archive={archive} />}
          </>
        ),
      },
      {
        label: 'Backups',
        cell: (archive) => (
          <a class="strong" href={addressOf.backup(archive.name)}>
            {archive.displayName}
          </a>
        ),
      },
      {
        label: 'Project',
        isNamed: true,
        cell: (archive) => (
          <>
            {wordOf(archive.project)} / {archive.environment}
          </>
        ),
      },
      { label: 'Database', isNamed: true, cell: (archive) => detailOf(archive, 'database') },
      {
        label: 'Last backup',
        look: 'nowrap',
        isNamed: true,
        cell: (archive) =>
          detailOf(archive, 'lastBackupTime') === ''
            ? 'none yet'
            : dayMinute(Date.parse(detailOf(archive, 'lastBackupTime'))),
      },
      { label: 'Kept', isNamed: true, cell: (archive) => <Retention archive={archive} /> },
    ]}
    rows={archives}
    keyOf={(archive) => archive.name}
    look="stacked"
  />
);

const Retention = ({ archive }: { readonly archive: Summary }) => <>{keptWord(archive, useDue(archive))}</>;

/** Why backups that are due to go are still there, and when their purge is tried again. */
function NotPurged({ archive }: { readonly archive: Summary }) {
  const instance = fleetOf('backupArchive', Infinity).instances.value.get(`corebackuparchives:${archive.name}`);
  const next = instance ? checkOf(instance) : null;
  return (
    <div class="small muted wrap">
      {purgedWord(archive)}
      {next !== null && (
        <>
          {' · '}
          <span class="nowrap">
            {nextTryWord(archive)} <Countdown {...next} />
          </span>
        </>
      )}
    </div>
  );
}
