import type { Instance } from '../../../api.ts';
import { type Filter, writeFilter } from '../../model/filter.ts';
import { StateChip } from '../../components/stateChip.tsx';
import type { Column, Sorting } from '../../components/table/column.ts';
import { type MoreRows, VirtualTable } from '../../components/table/virtualTable.tsx';
import { Countdown, Since } from '../../components/times.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { checkOf } from '../../model/nextCheck.ts';
import { alsoOf } from '../../model/state.ts';
import { columnsOf } from './columns.ts';
import { leaderKnows, sinceNotStored } from './text.ts';

interface InstanceListProps {
  readonly items: readonly Instance[];
  readonly machine: string;
  /** The kinds that have the machine. */
  readonly kinds: readonly string[];
  readonly filter: Filter;
  /** The order that they are in; the filter's own where it is left out. */
  readonly order?: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  readonly onHold: (held: boolean) => void;
  readonly more?: MoreRows | null;
}

const pageOf = ({ machine, id }: Instance) => addressOf.instance(machine, id);

/** The list of a machine's instances, which may be thousands; several items of one object have different ids. */
export const InstanceList = ({
  items,
  machine,
  kinds,
  filter,
  order = filter,
  onSort,
  onHold,
  more = null,
}: InstanceListProps) => (
  <VirtualTable
    label="Instances; arrows move, Enter opens"
    items={items}
    columns={tableColumns(machine, kinds)}
    keyOf={({ uid, id }) => `${uid} ${id}`}
    open={(item) => go(pageOf(item))}
    sorting={order}
    onSort={onSort}
    asked={writeFilter(filter)}
    onHold={onHold}
    more={more}
  />
);

const tableColumns = (machine: string, kinds: readonly string[]): readonly Column<Instance>[] => [
  { label: 'Name', width: 'minmax(180px, 2.8fr)', sort: 'name', cell: Name },
  { label: 'State', width: '196px', sort: 'state', cell: State },
  { label: 'Since', width: '72px', sort: 'since', yields: 'late', cell: Entered },
  ...columnsOf(machine, kinds).map(({ label, isCode, textOf }): Column<Instance> => ({
    label,
    width: '112px',
    look: isCode ? 'muted mono' : 'muted',
    yields: 'early',
    cell: textOf,
  })),
  { label: 'Reason', width: 'minmax(160px, 2.6fr)', look: 'small', cell: Reason },
  { label: 'Next check', width: '100px', look: 'small muted', cell: NextCheck },
];

const Name = (instance: Instance) => (
  <a class="name" href={pageOf(instance)} title={instance.name} tabIndex={-1}>
    {instance.name}
  </a>
);

const State = (instance: Instance) => (
  <StateChip state={instance.state} shown={instance.shown} also={alsoOf(instance)} />
);

const Entered = ({ since }: Instance) =>
  since === '' ? <span title={sinceNotStored}>unknown</span> : <Since at={since} />;

const Reason = ({ reason }: Instance) => <span title={reason}>{reason}</span>;

function NextCheck(instance: Instance) {
  const check = checkOf(instance);
  if (check !== null) return <Countdown {...check} />;
  return <>{instance.nextCheckAt === null && <span title={leaderKnows}>–</span>}</>;
}
