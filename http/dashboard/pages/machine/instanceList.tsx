import type { Instance } from '../../../api.ts';
import type { Filter, SortKey } from '../../filter.ts';
import { StateChip } from '../../parts/stateChip.tsx';
import { Countdown, Since } from '../../parts/times.tsx';
import { VirtualList } from '../../parts/table/virtualTable.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { isNarrow } from '../../store/narrow.ts';
import { columnsOf, type ListColumn } from './columns.ts';

interface InstanceListProps {
  readonly items: readonly Instance[];
  /** The kinds that have the machine. */
  readonly kinds: readonly string[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly onHold: (held: boolean) => void;
}

const rowHeight = 40;
/** The height of a row with two lines. */
const narrowRowHeight = 64;

const pageOf = ({ machine, id }: Instance) => addressOf.instance(machine, id);

const leaderKnows = 'This replica is a standby: only the one that leads knows the next check';
const notStored = 'The time at which it entered this state is not stored';

/** The list of a machine's instances, which may be thousands. */
export function InstanceList({ items, kinds, filter, onFilter, onHold }: InstanceListProps) {
  const columns = columnsOf(kinds);
  return (
    <VirtualList
      items={items}
      rowHeight={isNarrow.value ? narrowRowHeight : rowHeight}
      ownColumns={columns.length}
      label="Instances; arrows move, Enter opens"
      head={<Heads columns={columns} filter={filter} onFilter={onFilter} />}
      keyOf={(item) => item.id}
      row={(item) => <Row instance={item} columns={columns} />}
      open={(item) => go(pageOf(item))}
      onHold={onHold}
    />
  );
}

interface HeadsProps extends Pick<InstanceListProps, 'filter' | 'onFilter'> {
  readonly columns: readonly ListColumn[];
}

const Heads = ({ columns, filter, onFilter }: HeadsProps) => (
  <div class="grid-head" role="row" aria-rowindex={1}>
    <Head name="name" word="Name" filter={filter} onFilter={onFilter} />
    <Head name="state" word="State" filter={filter} onFilter={onFilter} />
    <Head name="since" word="Since" filter={filter} onFilter={onFilter} />
    {columns.map(({ word }) => (
      <span key={word} role="columnheader" class="grid-own">
        {word}
      </span>
    ))}
    <span role="columnheader">Reason</span>
    <span role="columnheader">Next check</span>
  </div>
);

interface HeadProps extends Pick<InstanceListProps, 'filter' | 'onFilter'> {
  readonly name: SortKey;
  readonly word: string;
}

function Head({ name, word, filter, onFilter }: HeadProps) {
  const sorted = filter.sort === name;
  const falls = sorted && filter.reversed !== (name === 'since');
  return (
    <span role="columnheader" aria-sort={sorted ? (falls ? 'descending' : 'ascending') : 'none'}>
      <button type="button" onClick={() => onFilter({ ...filter, sort: name, reversed: sorted && !filter.reversed })}>
        {word}
        {sorted && (falls ? ' ↓' : ' ↑')}
      </button>
    </span>
  );
}

interface RowProps extends Pick<HeadsProps, 'columns'> {
  readonly instance: Instance;
}

const Row = ({ instance, columns }: RowProps) => (
  <>
    <span role="gridcell">
      <a class="name" href={pageOf(instance)} title={instance.name} tabIndex={-1}>
        {instance.name}
      </a>
    </span>
    <span role="gridcell">
      <StateChip state={instance.state} shown={instance.shown} />
      {instance.paused && <span class="flag">paused</span>}
    </span>
    <span role="gridcell">
      {instance.since === '' ? <span title={notStored}>unknown</span> : <Since at={instance.since} />}
    </span>
    {columns.map(({ word, isCode, textOf }) => (
      <span key={word} role="gridcell" class={`grid-own muted${isCode ? ' mono' : ''}`}>
        {textOf(instance)}
      </span>
    ))}
    <span role="gridcell" class="small" title={instance.reason}>
      {instance.retrying && (
        <span class="flag" style={{ marginLeft: 0, marginRight: '6px' }}>
          retrying{instance.failures !== null && instance.failures > 0 ? ` ${instance.failures}` : ''}
        </span>
      )}
      {instance.reason}
    </span>
    <span role="gridcell" class="small muted">
      {instance.nextLook === null && <span title={leaderKnows}>–</span>}
      {typeof instance.nextLook === 'string' && <Countdown at={instance.nextLook} />}
    </span>
  </>
);
