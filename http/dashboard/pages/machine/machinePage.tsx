import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Machine } from '../../../api.ts';
import { ArrowTable } from '../../diagram/arrowTable.tsx';
import { RestTable } from '../../diagram/restTable.tsx';
import { Diagram } from '../../diagram/diagram.tsx';
import { everything, type Filter, isNarrowed, readFilter, writeFilter } from '../../filter.ts';
import { compareInstances, filteredInstance, shownBy } from '../../filtered.ts';
import { NoInstances } from '../../kinds/noInstances.tsx';
import { instancesOf } from '../../kinds/kinds.ts';
import { Frame } from '../../parts/frame.tsx';
import { NotFound } from '../../parts/gone.tsx';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { Hidden } from '../../parts/value.tsx';
import { address, go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { now } from '../../store/clock.ts';
import { fleetOf, instancesOf as instancesOfMachine } from '../../store/fleet.ts';
import { useLongList, useSource } from '../../store/longList.ts';
import { isWhole } from '../../store/pages.ts';
import { countsOf, isHidden, useCountedMachines } from '../../store/machines.ts';
import { countWord } from '../../words/listCount.ts';
import { stateCounts } from '../../words/stateCounts.ts';
import { NoMatch } from '../../parts/filter/noMatch.tsx';
import { FilterBar } from '../../parts/filter/filterBar.tsx';
import { ListEnd } from '../../parts/listEnd.tsx';
import { isInServerOrder, useFoundInstances } from './found.ts';
import { InstanceList } from './instanceList.tsx';

/** One machine: its diagram with live counts, and its instances, filtered by the address. */
export function MachinePage({ name }: { readonly name: string }) {
  const { value, failed, readAt, reload } = useCountedMachines();
  const machine = value?.items.find((item) => item.name === name);
  return (
    <Frame title={`Machine ${name}`}>
      <div class="stack">
        <h1>{name}</h1>
        <Failed failed={failed} readAt={readAt} retry={reload} />
        {value === null && failed === null && <Skeleton height={640} />}
        {value !== null && !machine && (
          <NotFound what="machine" name={name} error={`State machine "${name}" was not found`} />
        )}
        {machine && <MachineShown machine={machine} />}
      </div>
    </Frame>
  );
}

function MachineShown({ machine }: { readonly machine: Machine }) {
  const { counts } = countsOf(machine);
  const filter = readFilter(address.value.search);
  const withFilter = (next: Filter) => addressOf.machine(machine.name, writeFilter(next));
  const toState = (state: string) => withFilter({ ...filter, states: [state] });
  return (
    <>
      <section class="card" aria-label="Diagram">
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
      </section>
      {isHidden(machine) ? (
        <section class="card card-body" aria-label="Instances">
          <Hidden />
        </section>
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
  const { name } = machine;
  fleetOf(name);
  const list = useLongList(instancesOfMachine(name));
  const { counts, total } = countsOf(machine);
  const held = useSignal(false);
  const hasAll = list.value !== null && isWhole(list.value);
  const resting = useMemo(
    () => new Set(machine.states.filter((state) => state.resting).map((state) => state.name)),
    [machine],
  );
  const found = useFoundInstances(hasAll ? null : name, filter, resting);
  const source = useSource(list, found, !isInServerOrder(filter));
  const { items, hasMore, isFound } = source;
  const at = filter.stuckSeconds === null ? 0 : now.value;
  const shown = useMemo(() => {
    const isShown = shownBy(filter, { now: at, resting });
    const rows = items.filter((instance) => isShown(filteredInstance(instance)));
    return hasMore ? rows : rows.toSorted(compareInstances(filter));
  }, [writeFilter(filter), resting, items, hasMore, at]);
  const onFilter = (next: Filter) => go(addressWith(next), 'replace');
  return (
    <section class="card" aria-label="Instances">
      <FilterBar
        what={name}
        filter={filter}
        addressOf={addressWith}
        states={stateCounts(machine, counts)}
        count={countWord({ shown: shown.length, read: items.length, hasMore, total: hasAll ? items.length : total })}
        moves
        note={held.value && shown.length > 1 ? 'order held' : ''}
      />
      {!hasMore && <Failed failed={list.failed} readAt={list.readAt} />}
      {list.value === null && list.failed === null && <Bones />}
      {shown.length > 0 && (
        <InstanceList
          items={shown}
          machine={name}
          kinds={machine.kinds}
          filter={filter}
          onFilter={(next) => {
            if (hasMore) source.want(Infinity);
            onFilter(next);
          }}
          onHold={(on) => (held.value = on)}
          more={hasMore ? { source, total: isNarrowed(filter) ? null : total } : null}
        />
      )}
      {shown.length === 0 && hasMore && <ListEnd failed={source.failed} onRetry={source.readOn} />}
      {shown.length === 0 && !hasMore && list.value !== null && (isFound || items.length > 0) && (
        <NoMatch what="instance" onClear={() => onFilter(everything)} />
      )}
      {hasAll && items.length === 0 && <NoInstances machine={machine} />}
    </section>
  );
}

const Bones = () => (
  <div class="card-body stack-tight">
    {Array.from({ length: 12 }, (_, index) => (
      <Skeleton key={index} height={32} />
    ))}
  </div>
);
