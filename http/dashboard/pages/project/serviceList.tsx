import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Summary } from '../../../api.ts';
import { heldOrder } from '../../parts/table/heldOrder.ts';
import { VirtualList } from '../../parts/table/virtualTable.tsx';
import { address, go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { now } from '../../store/clock.ts';
import { fleetOf } from '../../store/fleet.ts';
import { isNarrow } from '../../store/narrow.ts';
import {
  readServiceFilter,
  rowsOf,
  type ServiceFilter,
  shownRows,
  writeServiceFilter,
} from '../../words/serviceFilter.ts';
import { ServiceFilters } from './serviceFilters.tsx';
import { ServiceHeads, ServiceLine } from './serviceLine.tsx';

interface ServiceListProps {
  readonly services: readonly Summary[];
  /** What people call a project; left out where all services are of one. */
  readonly projectWord?: (name: string) => string;
}

const rowHeight = 40;
/** The height of a row with two lines. */
const narrowRowHeight = 64;
/** Being stuck is judged anew each half minute, not each second. */
const judgedMs = 30_000;

/** Services with their filter, of which the address has all; there may be thousands. */
export function ServiceList({ services, projectWord }: ServiceListProps) {
  const filter = readServiceFilter(address.value.search);
  const isHeld = useSignal(false);
  const order = useMemo(heldOrder, []);
  const instances = fleetOf('service').instances.value;
  const found = shownRows(rowsOf(services, instances), filter, {
    now: filter.stuckSeconds === null ? 0 : Math.floor(now.value / judgedMs) * judgedMs,
    ...(projectWord ? { wordOf: projectWord } : {}),
  });
  const rows = order(found, isHeld.value);
  const onFilter = (next: ServiceFilter) => go(`${address.peek().path}${writeServiceFilter(next)}`, 'replace');
  return (
    <>
      <ServiceFilters services={services} shown={rows.length} filter={filter} onFilter={onFilter} />
      {rows.length === 0 && <p class="empty muted">No service matches.</p>}
      {rows.length > 0 && (
        <div class={projectWord ? 'service-grid service-grid-all' : 'service-grid'}>
          <VirtualList
            items={rows}
            rowHeight={isNarrow.value ? narrowRowHeight : rowHeight}
            ownColumns={0}
            label="Services; arrows move, Enter opens"
            head={<ServiceHeads filter={filter} onFilter={onFilter} hasProject={projectWord !== undefined} />}
            keyOf={({ id }) => id}
            row={(row) => <ServiceLine row={row} projectWord={projectWord} />}
            open={({ service }) => go(addressOf.service(service))}
            onHold={(held) => (isHeld.value = held)}
          />
        </div>
      )}
    </>
  );
}
