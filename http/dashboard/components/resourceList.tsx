import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Summary } from '../../api.ts';
import { everything, type Filter, isNarrowed, readFilter, withOrder, writeFilter } from '../model/filter.ts';
import { address, go } from '../router.ts';
import { addressOf, type Place } from '../routes.ts';
import type { ListOf } from '../store/list.ts';
import type { LongList } from '../store/longList.ts';
import { capital } from '../model/capital.ts';
import { endpointOf } from '../model/endpoint.ts';
import { isDraft } from '../model/gate.ts';
import { countWord } from '../model/listCount.ts';
import { waits } from '../model/project.ts';
import { kindOf, kindsIn, type ResourceRow, resourceStates } from '../model/resourceFilter.ts';
import { isWebAddress } from '../model/url.ts';
import { alsoOf, stateWord } from '../model/state.ts';
import { countedStates, totalOf, uncountedStates } from '../model/stateCounts.ts';
import { CauseCell } from './cause/causeCell.tsx';
import { ChoiceField } from './filter/choiceField.tsx';
import { FilterBar } from './filter/filterBar.tsx';
import { NoMatch } from './filter/noMatch.tsx';
import { ListEnd } from './listEnd.tsx';
import { StateChip } from './stateChip.tsx';
import { useResourceRows } from './resourceRows.ts';
import type { Column } from './table/column.ts';
import { VirtualTable } from './table/virtualTable.tsx';
import { Since } from './times.tsx';

interface ResourceListProps {
  /** What they are, one of them. */
  readonly what: string;
  readonly list: LongList<Summary>;
  /** What the list is of, always as many; the server finds something in it while not all rows are read. */
  readonly of: readonly ListOf[];
  /** The environment that all of them are in; left out where they are of all. */
  readonly place?: Place;
  /** What people call a project; left out where all resources are of one. */
  readonly projectWord?: (name: string) => string;
}

const itself = (name: string): string => name;
const addressWith = (filter: Filter): string => `${address.peek().path}${writeFilter(filter)}`;

/** Resources with their states, filtered by the address: by the server while not all of them are read. */
export function ResourceList({ what, projectWord, place, ...lists }: ResourceListProps) {
  const filter = readFilter(address.value.search, ['kind']);
  const held = useSignal(false);
  const { source, shown, hasAll, all, isLong, order, counts } = useResourceRows({
    ...lists,
    place: place ?? null,
    filter,
    projectWord: projectWord ?? itself,
  });
  const states = useMemo(
    () => (counts ? countedStates(counts, resourceStates) : uncountedStates(resourceStates)),
    [counts],
  );
  const total = counts && totalOf(counts);
  const known = useMemo(() => kindsIn(all), [all]);
  const columns = useMemo(() => columnsOf(capital(what), projectWord), [what, projectWord]);
  const kind = filter.own['kind'] ?? '';
  const { hasMore } = source;
  return (
    <>
      <FilterBar
        what={`${what}s`}
        filter={filter}
        addressOf={addressWith}
        states={states}
        count={countWord({ shown: shown.length, read: source.items.length, hasMore, total })}
        byName={!hasAll}
        moves
        note={held.value && shown.length > 1 ? 'order held' : ''}
      >
        <ChoiceField
          label="Kind"
          value={kind}
          options={known.includes(kind) || kind === '' ? known : [...known, kind]}
          onChange={(chosen) => go(addressWith({ ...filter, own: { kind: chosen } }), 'replace')}
        />
      </FilterBar>
      {shown.length === 0 && !hasMore && <NoMatch what={what} onClear={() => go(addressWith(everything), 'replace')} />}
      {shown.length > 0 && (
        <VirtualTable
          label={`${capital(what)}s; arrows move, Enter opens`}
          items={shown}
          columns={columns}
          keyOf={({ resource: { kind, name, createdAt } }) => `${kind} ${name} ${createdAt}`}
          open={({ resource }) => go(addressOf.resource(resource))}
          sorting={order}
          onSort={(sorting) => go(addressWith(withOrder(filter, sorting, isLong)), 'replace')}
          asked={writeFilter(filter)}
          onHold={(on) => (held.value = on)}
          more={hasMore ? { total: isNarrowed(filter) ? null : total, onEnd: source.onEnd } : null}
        />
      )}
      {hasMore && <ListEnd failed={source.failed} onRetry={source.readOn} />}
    </>
  );
}

const columnsOf = (word: string, projectWord: ResourceListProps['projectWord']): readonly Column<ResourceRow>[] => [
  { label: 'State', width: '196px', sort: 'state', cell: State },
  { label: word, width: 'minmax(140px, 1.6fr)', look: 'title', sort: 'name', cell: Name },
  ...(projectWord ? [projectColumn(projectWord)] : []),
  { label: 'Kind', width: '90px', look: 'small', yields: 'early', cell: ({ resource }) => kindOf(resource) },
  { label: 'Cause', width: 'minmax(140px, 2.4fr)', look: 'small why-cell', cell: Why },
  { label: 'Address', width: 'minmax(120px, 1.4fr)', look: 'small', yields: 'early', cell: Address },
  { label: 'Age', width: '64px', look: 'small muted', sort: 'since', yields: 'late', cell: Age },
];

const projectColumn = (projectWord: (name: string) => string): Column<ResourceRow> => ({
  label: 'Project',
  width: 'minmax(120px, 1.2fr)',
  look: 'small',
  yields: 'late',
  cell: ({ resource }) =>
    resource.project === '' ? (
      <span class="muted">shared server</span>
    ) : (
      <a href={addressOf.project(resource)} tabIndex={-1}>
        {projectWord(resource.project)} / {resource.environment}
      </a>
    ),
});

const State = ({ resource: { state }, instance }: ResourceRow) => (
  <StateChip state={state} shown={stateWord(state)} also={instance ? alsoOf(instance) : []} />
);

const Why = ({ resource }: ResourceRow) => (
  <CauseCell owner={resource} cause={resource.cause} message={resource.message} />
);

const Name = ({ resource }: ResourceRow) => (
  <>
    <a class="name" href={addressOf.resource(resource)} tabIndex={-1} title={resource.displayName}>
      {resource.displayName}
    </a>
    {waits(resource) && !isDraft(resource) && <span class="flag">not deployed</span>}
  </>
);

/** The address that people open, or the host that programs connect to. */
const Address = ({ resource }: ResourceRow) =>
  isWebAddress(resource.url) ? (
    <a href={resource.url} target="_blank" rel="noreferrer" tabIndex={-1} title={resource.url}>
      {resource.url}
    </a>
  ) : (
    <span class="mono">{endpointOf(resource)}</span>
  );

const Age = ({ resource: { createdAt } }: ResourceRow) => <Since at={createdAt} />;
