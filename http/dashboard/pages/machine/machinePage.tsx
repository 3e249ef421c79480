import { useSignal } from '@preact/signals';
import type { Machine } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { ArrowTable } from '../../diagram/arrowTable.tsx';
import { RestTable } from '../../diagram/restTable.tsx';
import { Diagram } from '../../diagram/diagram.tsx';
import { everything, type Filter, isNarrowed, readFilter, withOrder, writeFilter } from '../../model/filter.ts';
import { NoInstances } from '../../kindPages/noInstances.tsx';
import { instancesOf } from '../../kindPages/kinds.ts';
import { Frame } from '../../components/frame.tsx';
import { NotFound } from '../../components/gone.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Skeleton } from '../../components/note.tsx';
import { Hidden } from '../../components/value.tsx';
import { address, go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { countsOf, isHidden, useCountedMachines } from '../../store/machines.ts';
import { countWord } from '../../model/listCount.ts';
import { stateCounts } from '../../model/stateCounts.ts';
import { NoMatch } from '../../components/filter/noMatch.tsx';
import { FilterBar } from '../../components/filter/filterBar.tsx';
import { ListEnd } from '../../components/listEnd.tsx';
import { type ShownInstances, useShownInstances } from './shown.ts';
import { InstanceList } from './instanceList.tsx';

/** One machine: its diagram with live counts, and its instances, filtered by the address. */
export function MachinePage({ name }: { readonly name: string }) {
  const loaded = useCountedMachines();
  return (
    <Frame title={`Machine ${name}`}>
      <div class="stack">
        <h1>{name}</h1>
        <Loaded of={loaded} height={640}>
          {({ items }) => <MachineIn machines={items} name={name} />}
        </Loaded>
      </div>
    </Frame>
  );
}

function MachineIn({ machines, name }: { readonly machines: readonly Machine[]; readonly name: string }) {
  const machine = machines.find((one) => one.name === name);
  return machine ? (
    <MachineShown machine={machine} />
  ) : (
    <NotFound what="machine" name={name} error={`State machine "${name}" was not found`} />
  );
}

function MachineShown({ machine }: { readonly machine: Machine }) {
  const { counts } = countsOf(machine);
  const filter = readFilter(address.value.search);
  const withFilter = (next: Filter) => addressOf.machine(machine.name, writeFilter(next));
  const toState = (state: string) => withFilter({ ...filter, states: [state] });
  return (
    <>
      <Card label="Diagram">
        <Diagram
          machine={machine}
          counts={isHidden(machine) ? null : counts}
          addressOf={toState}
          chosen={filter.states}
          what={instancesOf(machine.kinds)}
        />
        <div style={{ borderTop: '1px solid var(--line)' }}>
          <ArrowTable machine={machine} />
          <RestTable machine={machine} />
        </div>
      </Card>
      {isHidden(machine) ? (
        <Card label="Instances" isPadded>
          <Hidden />
        </Card>
      ) : (
        <Instances machine={machine} filter={filter} addressOf={withFilter} />
      )}
    </>
  );
}

interface InstancesProps {
  readonly machine: Machine;
  readonly filter: Filter;
  readonly addressOf: (filter: Filter) => string;
}

function Instances({ machine, filter, addressOf: addressWith }: InstancesProps) {
  const { counts, total: counted } = countsOf(machine);
  const held = useSignal(false);
  const { list, source, shown, hasAll, isLong, order } = useShownInstances(machine, filter);
  const { items, hasMore } = source;
  const total = hasAll ? items.length : counted;
  const onFilter = (next: Filter) => go(addressWith(next), 'replace');
  return (
    <Card label="Instances">
      <FilterBar
        what={machine.name}
        filter={filter}
        addressOf={addressWith}
        states={stateCounts(machine, counts)}
        count={countWord({ shown: shown.length, read: items.length, hasMore, total })}
        moves
        note={held.value && shown.length > 1 ? 'order held' : ''}
      />
      <Loaded of={hasMore ? { ...list, failed: null } : list} height={0} placeholder={<Bones />} />
      {shown.length > 0 && (
        <InstanceList
          items={shown}
          machine={machine.name}
          kinds={machine.kinds}
          filter={filter}
          order={order}
          onSort={(sorting) => onFilter(withOrder(filter, sorting, isLong))}
          onHold={(on) => (held.value = on)}
          more={hasMore ? { total: isNarrowed(filter) ? null : total, onEnd: source.onEnd } : null}
        />
      )}
      {hasMore && <ListEnd failed={source.failed} onRetry={source.readOn} />}
      {shown.length === 0 && isMissed(source, list) && <NoMatch what="instance" onClear={() => onFilter(everything)} />}
      {hasAll && items.length === 0 && <NoInstances machine={machine} />}
    </Card>
  );
}

/** Whether there are instances, and all that could match are read. */
const isMissed = ({ hasMore, isFound, items }: ShownInstances['source'], { value }: ShownInstances['list']): boolean =>
  value !== null && !hasMore && (isFound || items.length > 0);

const Bones = () => (
  <div class="card-body stack-tight">
    {Array.from({ length: 12 }, (_, index) => (
      <Skeleton key={index} height={32} />
    ))}
  </div>
);
