import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Summary } from '../../api.ts';
import { everything, type Filter, readFilter, writeFilter } from '../filter.ts';
import { address, go } from '../router.ts';
import { addressOf } from '../routes.ts';
import { now } from '../store/clock.ts';
import { fleetOf } from '../store/fleet.ts';
import { waits } from '../words/project.ts';
import {
  kindOf,
  orderedServices,
  serviceKinds,
  type ServiceRow,
  serviceRows,
  serviceStates,
  shownServices,
} from '../words/serviceFilter.ts';
import { isWebAddress } from '../words/url.ts';
import { alsoOf, stateWord } from '../words/state.ts';
import { countedStates } from '../words/stateCounts.ts';
import { ChoiceField } from './filter/choiceField.tsx';
import { FilterBar } from './filter/filterBar.tsx';
import { StateChip } from './stateChip.tsx';
import type { Column } from './table/column.ts';
import { VirtualTable } from './table/virtualTable.tsx';
import { Since } from './times.tsx';

interface ServiceListProps {
  readonly services: readonly Summary[];
  /** What people call a project; left out where all services are of one. */
  readonly projectWord?: (name: string) => string;
}

const itself = (name: string): string => name;
const addressWith = (filter: Filter): string => `${address.peek().path}${writeFilter(filter)}`;

/** Services with their states, filtered by the address. */
export function ServiceList({ services, projectWord }: ServiceListProps) {
  const filter = readFilter(address.value.search, ['kind']);
  const held = useSignal(false);
  const instances = fleetOf('service').instances.value;
  // Thousands of rows are made and ordered once, not with each key in the filter.
  const rows = useMemo(
    () => serviceRows(services, instances.values(), projectWord ?? itself),
    [services, instances, projectWord],
  );
  const ordered = useMemo(() => orderedServices(rows, filter), [rows, filter.sort, filter.reversed]);
  const shown = shownServices(ordered, filter, filter.stuckSeconds === null ? 0 : now.value);
  return (
    <>
      <FilterBar
        what="services"
        filter={filter}
        addressOf={addressWith}
        states={countedStates(services, serviceStates)}
        shown={shown.length}
        total={services.length}
        moves
        note={held.value && shown.length > 1 ? 'order held' : ''}
      >
        <ChoiceField
          word="Kind"
          value={filter.own['kind'] ?? ''}
          options={serviceKinds}
          onChange={(kind) => go(addressWith({ ...filter, own: { kind } }), 'replace')}
        />
      </FilterBar>
      {shown.length === 0 && (
        <div class="empty">
          <p>No service matches these filters.</p>
          <button type="button" class="button" onClick={() => go(addressWith(everything), 'replace')}>
            Clear the filters
          </button>
        </div>
      )}
      {shown.length > 0 && (
        <VirtualTable
          label="Services; arrows move, Enter opens"
          items={shown}
          columns={columnsOf(projectWord)}
          keyOf={({ service: { name, createdAt } }) => `${name} ${createdAt}`}
          open={({ service }) => go(addressOf.service(service))}
          sorting={filter}
          onSort={(sorting) => go(addressWith({ ...filter, ...sorting }), 'replace')}
          asked={writeFilter(filter)}
          onHold={(on) => (held.value = on)}
        />
      )}
    </>
  );
}

const columnsOf = (projectWord: ServiceListProps['projectWord']): readonly Column<ServiceRow>[] => [
  { word: 'State', width: '150px', sort: 'state', cell: State },
  { word: 'Service', width: 'minmax(140px, 1.6fr)', look: 'title', sort: 'name', cell: Name },
  ...(projectWord ? [projectColumn(projectWord)] : []),
  { word: 'Kind', width: '90px', look: 'small', yields: 'early', cell: ({ service }) => kindOf(service) },
  { word: 'Message', width: 'minmax(120px, 2fr)', look: 'small', cell: ({ service: { message } }) => message },
  { word: 'Address', width: 'minmax(120px, 1.4fr)', look: 'small', yields: 'early', cell: Address },
  { word: 'Age', width: '64px', look: 'small muted', sort: 'since', yields: 'late', cell: Age },
];

const projectColumn = (projectWord: (name: string) => string): Column<ServiceRow> => ({
  word: 'Project',
  width: 'minmax(120px, 1.2fr)',
  look: 'small',
  yields: 'late',
  cell: ({ service }) => (
    <a href={addressOf.project(service)} tabIndex={-1}>
      {projectWord(service.project)} / {service.environment}
    </a>
  ),
});

const State = ({ service: { state }, instance }: ServiceRow) => (
  <StateChip state={state} shown={stateWord(state)} also={instance ? alsoOf(instance) : []} />
);

const Name = ({ service }: ServiceRow) => (
  <>
    <a class="name" href={addressOf.service(service)} tabIndex={-1} title={service.displayName}>
      {service.displayName}
    </a>
    {waits(service) && service.state !== 'draft' && <span class="flag">not deployed</span>}
  </>
);

const Address = ({ service: { url } }: ServiceRow) =>
  isWebAddress(url) && (
    <a href={url} target="_blank" rel="noreferrer" tabIndex={-1} title={url}>
      {url}
    </a>
  );

const Age = ({ service: { createdAt } }: ServiceRow) => <Since at={createdAt} />;
