import type { Instance } from '../../../api.ts';
import type { Filter, SortKey } from '../../filter.ts';
import { StateChip } from '../../parts/stateChip.tsx';
import { Countdown, Since } from '../../parts/times.tsx';
import { VirtualList } from '../../parts/virtualList.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { short } from '../../words/plural.ts';

interface InstanceListProps {
  readonly items: readonly Instance[];
  /** The kinds that have the machine. */
  readonly kinds: readonly string[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly onHold: (held: boolean) => void;
}

const rowHeight = 40;
const isOfBuilds = (kinds: readonly string[]) => kinds.every((kind) => kind === 'CoreBuild');

/** Builds have a page of their own, whatever else is an instance the one for all. */
const pageOf = ({ kind, name, machine, id }: Instance) =>
  kind === 'CoreBuild' ? addressOf.build(name) : addressOf.instance(machine, id);

const leaderKnows = 'This replica stands by: only the one that leads knows when it looks again';

/** The instances of a machine, thousands of them. */
export const InstanceList = ({ items, kinds, filter, onFilter, onHold }: InstanceListProps) => (
  <VirtualList
    items={items}
    rowHeight={rowHeight}
    label="Instances; arrows move, Enter opens"
    head={<Heads kinds={kinds} filter={filter} onFilter={onFilter} />}
    keyOf={(item) => item.id}
    row={(item) => <Row instance={item} kinds={kinds} />}
    open={(item) => go(pageOf(item))}
    onHold={onHold}
  />
);

const Heads = ({ kinds, filter, onFilter }: Pick<InstanceListProps, 'kinds' | 'filter' | 'onFilter'>) => (
  <div class="grid-head" role="row" aria-rowindex={1}>
    <Head name="name" word={isOfBuilds(kinds) ? 'Build' : 'Name'} filter={filter} onFilter={onFilter} />
    <Head name="state" word="State" filter={filter} onFilter={onFilter} />
    <Head name="since" word="Since" filter={filter} onFilter={onFilter} />
    <span role="columnheader" class="grid-commit">
      {isOfBuilds(kinds) ? 'Commit' : 'Kind'}
    </span>
    <span role="columnheader">Reason</span>
    <span role="columnheader">Looks again</span>
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

interface RowProps extends Pick<InstanceListProps, 'kinds'> {
  readonly instance: Instance;
}

const Row = ({ instance, kinds }: RowProps) => (
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
      <Since at={instance.since} />
    </span>
    {isOfBuilds(kinds) ? (
      <span role="gridcell" class="grid-commit mono muted">
        {short(instance.commit)}
      </span>
    ) : (
      <span role="gridcell" class="grid-commit muted">
        {instance.kind}
      </span>
    )}
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
