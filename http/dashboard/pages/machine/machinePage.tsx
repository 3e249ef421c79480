import { computed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Instance, Machine } from '../../../api.ts';
import { ArrowTable } from '../../diagram/arrowTable.tsx';
import { RestTable } from '../../diagram/restTable.tsx';
import { Diagram } from '../../diagram/diagram.tsx';
import { compareInstances, everything, type Filter, isShown, readFilter, writeFilter } from '../../filter.ts';
import { FirstSteps } from '../../kinds/noInstances.tsx';
import { instancesOf } from '../../kinds/kinds.ts';
import { Frame } from '../../parts/frame.tsx';
import { Failed, Note, Skeleton } from '../../parts/note.tsx';
import { StateCounts } from '../../parts/filter/stateCounts.tsx';
import { address, go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { now } from '../../store/clock.ts';
import { fleetOf } from '../../store/fleet.ts';
import { countsOf, useMachines } from '../../store/machines.ts';
import { grouped, plural } from '../../words/plural.ts';
import { FilterTools } from '../../parts/filter/filterBar.tsx';
import { heldOrder } from '../../parts/table/heldOrder.ts';
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
          <Note tone="unknown">
            Machine not found. <a href={addressOf.machines()}>All machines</a>
          </Note>
        )}
        {machine && <MachineShown machine={machine} />}
      </div>
    </Frame>
  );
}

function MachineShown({ machine }: { readonly machine: Machine }) {
  const { counts, total } = countsOf(machine);
  const filter = readFilter(address.value.search);
  const withFilter = (next: Filter) => addressOf.machine(machine.name, writeFilter(next));
  /** Adds a state to the filter, or removes it. */
  const toState = (state: string) => {
    const without = filter.states.filter((other) => other !== state);
    const states = without.length === filter.states.length ? [...filter.states, state] : without;
    return withFilter({ ...filter, states });
  };
  return (
    <>
      <section class="card" aria-label="Diagram">
        <Diagram
          machine={machine}
          counts={counts}
          addressOf={toState}
          chosen={filter.states}
          what={instancesOf(machine.kinds)}
        />
        <div style={{ borderTop: '1px solid var(--line)' }}>
          <ArrowTable machine={machine} />
          <RestTable machine={machine} />
        </div>
      </section>
      <section class="card" aria-label="Instances">
        <div class="card-head" style={{ paddingBlock: '12px' }}>
          <StateCounts machine={machine} counts={counts} chosen={filter.states} addressOf={toState} />
        </div>
        <FilterTools filter={filter} onChange={(next) => go(withFilter(next), 'replace')} />
        <Instances machine={machine} filter={filter} onFilter={(next) => go(withFilter(next), 'replace')} />
        {total === 0 && fleetOf(machine.name).isRead.value && <FirstSteps kinds={machine.kinds} />}
      </section>
    </>
  );
}

interface InstancesProps {
  readonly machine: Machine;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

function Instances({ machine, filter, onFilter }: InstancesProps) {
  const fleet = fleetOf(machine.name);
  const held = useSignal(false);
  const order = useMemo(heldOrder, [writeFilter(filter)]);
  const shown = useMemo(
    () =>
      computed(() => {
        const resting = new Set(machine.states.filter((state) => state.resting).map((state) => state.name));
        const given = { now: filter.stuckSeconds === null ? 0 : now.value, resting };
        const all = [...fleet.instances.value.values()];
        return order(
          all.filter((instance: Instance) => isShown(filter, instance, given)).sort(compareInstances(filter)),
          held.value,
        );
      }),
    [writeFilter(filter), machine],
  ).value;
  const all = fleet.instances.value.size;
  if (!fleet.isRead.value)
    return (
      <div class="card-body stack-tight">
        <Failed failed={fleet.failed.value} readAt={null} />
        {fleet.failed.value === null && Array.from({ length: 12 }, (_, index) => <Skeleton key={index} height={32} />)}
      </div>
    );
  return (
    <>
      <Failed failed={fleet.failed.value} readAt={fleet.readAt.value} />
      <p class="small muted" style={{ padding: '0 16px 10px' }} role="status">
        {shown.length === all ? plural(all, 'instance') : `${grouped(shown.length)} of ${plural(all, 'instance')}`}
        {held.value && shown.length > 1 && ' · rows keep their places while you are on the list'}
      </p>
      {shown.length > 0 && (
        <InstanceList
          items={shown}
          kinds={machine.kinds}
          filter={filter}
          onFilter={onFilter}
          onHold={(on) => (held.value = on)}
        />
      )}
      {shown.length === 0 && all > 0 && (
        <div class="empty">
          <p>No instance matches these filters.</p>
          <button type="button" class="button" onClick={() => onFilter(everything)}>
            Show all
          </button>
        </div>
      )}
    </>
  );
}
