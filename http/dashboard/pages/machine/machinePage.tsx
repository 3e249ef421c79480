import { computed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Instance, Machine } from '../../../api.ts';
import { ArrowTable } from '../../diagram/arrowTable.tsx';
import { RestTable } from '../../diagram/restTable.tsx';
import { Diagram } from '../../diagram/diagram.tsx';
import { everything, type Filter, readFilter, writeFilter } from '../../filter.ts';
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
import { fleetOf } from '../../store/fleet.ts';
import { countsOf, isHidden, useMachines } from '../../store/machines.ts';
import { stateCounts } from '../../words/stateCounts.ts';
import { NoMatch } from '../../parts/filter/noMatch.tsx';
import { FilterBar } from '../../parts/filter/filterBar.tsx';
import { InstanceList } from './instanceList.tsx';

/** One machine: its diagram with live counts, and its instances, filtered by the address. */
export function MachinePage({ name }: { readonly name: string }) {
  const { value, failed, readAt, reload } = useMachines();
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
  const fleet = fleetOf(machine.name);
  const { counts } = countsOf(machine);
  const held = useSignal(false);
  const shown = useMemo(
    () =>
      computed(() => {
        const resting = new Set(machine.states.filter((state) => state.resting).map((state) => state.name));
        const isShown = shownBy(filter, { now: filter.stuckSeconds === null ? 0 : now.value, resting });
        const all: readonly Instance[] = [...fleet.instances.value.values()];
        return all.filter((instance) => isShown(filteredInstance(instance))).sort(compareInstances(filter));
      }),
    [writeFilter(filter), machine],
  ).value;
  const all = fleet.instances.value.size;
  const onFilter = (next: Filter) => go(addressWith(next), 'replace');
  return (
    <section class="card" aria-label="Instances">
      <FilterBar
        what={machine.name}
        filter={filter}
        addressOf={addressWith}
        states={stateCounts(machine, counts)}
        shown={shown.length}
        total={all}
        moves
        note={held.value && shown.length > 1 ? 'order held' : ''}
      />
      <Failed failed={fleet.failed.value} readAt={fleet.readAt.value} />
      {!fleet.isRead.value && fleet.failed.value === null && <Bones />}
      {shown.length > 0 && (
        <InstanceList
          items={shown}
          machine={machine.name}
          kinds={machine.kinds}
          filter={filter}
          onFilter={onFilter}
          onHold={(on) => (held.value = on)}
        />
      )}
      {shown.length === 0 && all > 0 && <NoMatch what="instance" onClear={() => onFilter(everything)} />}
      {all === 0 && fleet.isRead.value && <NoInstances machine={machine} />}
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
