import { useSignal } from '@preact/signals';
import type { DeliveryItem } from '../../../../api.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Table } from '../../../components/table/table.tsx';
import { ofProject } from '../../../kindPages/service/concerns.ts';
import { ChoiceField } from '../../../components/filter/choiceField.tsx';
import { toFirstRow } from '../../../components/filter/toFirstRow.ts';
import { useLoaded } from '../../../store/loaded.ts';
import { type DeliveryFilter, resultWords, shownDeliveries, noDeliveryText } from './text.ts';
import { deliveryColumns } from './deliveryColumns.tsx';
import { pathTo } from '../../../api.ts';

interface DeliveryLogProps {
  readonly project: string;
  readonly webhook: string;
  readonly onRedeliver: (delivery: string) => void;
}

/** What was sent to a receiver and what it answered, the newest first, as it happens. */
export function DeliveryLog({ project, webhook, onRedeliver }: DeliveryLogProps) {
  const loaded = useLoaded(
    pathTo('GET /projects/{project}/webhooks/{webhook}/deliveries', { project, webhook }),
    ofProject(project),
  );
  return (
    <Loaded of={loaded} height={60} empty={<p class="card-body muted small">{noDeliveryText}</p>}>
      {({ items }) => <Deliveries project={project} items={items} onRedeliver={onRedeliver} />}
    </Loaded>
  );
}

interface DeliveriesProps extends Omit<DeliveryLogProps, 'webhook'> {
  readonly items: readonly DeliveryItem[];
}

function Deliveries({ project, items, onRedeliver }: DeliveriesProps) {
  const filter = useSignal<DeliveryFilter>({ text: '', event: '', result: '' });
  const shown = shownDeliveries(items, filter.value);
  return (
    <>
      <Tools items={items} shown={shown.length} filter={filter.value} onFilter={(next) => (filter.value = next)} />
      {shown.length === 0 ? (
        <p class="card-body muted small">No delivery matches.</p>
      ) : (
        <Table
          label="Deliveries"
          look="stacked"
          columns={deliveryColumns(project, onRedeliver)}
          rows={shown}
          keyOf={({ deliveryId }) => deliveryId}
        />
      )}
    </>
  );
}

interface ToolsProps {
  readonly items: readonly DeliveryItem[];
  readonly shown: number;
  readonly filter: DeliveryFilter;
  readonly onFilter: (filter: DeliveryFilter) => void;
}

const Tools = ({ items, shown, filter, onFilter }: ToolsProps) => (
  <div class="tools" role="search" aria-label="Filter deliveries">
    <input
      class="input"
      type="search"
      aria-label="Filter"
      placeholder="Filter"
      value={filter.text}
      onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      onKeyDown={toFirstRow}
    />
    <ChoiceField
      label="Event"
      value={filter.event}
      options={[...new Set(items.map(({ event }) => event))].toSorted((a, b) => (a < b ? -1 : 1))}
      onChange={(event) => onFilter({ ...filter, event })}
    />
    <ChoiceField
      label="Result"
      value={filter.result}
      options={resultWords}
      onChange={(result) => onFilter({ ...filter, result })}
    />
    <span class="muted small row-end" role="status">
      {shown} of {items.length} · newest 20 kept
    </span>
  </div>
);
