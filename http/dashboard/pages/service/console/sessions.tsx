import type { ConsoleSessionItem } from '../../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Empty } from '../../../components/empty.tsx';
import { StateChip } from '../../../components/stateChip.tsx';
import type { Column } from '../../../components/table/column.ts';
import { VirtualTable } from '../../../components/table/virtualTable.tsx';
import { Ago, Spent } from '../../../components/times.tsx';
import { go } from '../../../router.ts';
import { addressOf } from '../../../routes.ts';
import { sessionWord } from './model.ts';

const columns: readonly Column<ConsoleSessionItem>[] = [
  { label: 'State', width: '150px', cell: (item) => <StateChip state={item.phase} shown={sessionWord(item)} /> },
  { label: 'Who', width: 'minmax(100px, 1fr)', cell: ({ actor }) => actor },
  {
    label: 'Copy',
    width: 'minmax(140px, 2fr)',
    look: 'mono',
    yields: 'early',
    cell: ({ pod, container }) => `${pod} / ${container}`,
  },
  {
    label: 'Started',
    width: '120px',
    cell: ({ startedAt, createdAt }) => <Ago at={startedAt ?? createdAt ?? ''} />,
  },
  {
    label: 'Lasted',
    width: '90px',
    yields: 'early',
    cell: ({ startedAt, endedAt }) => startedAt !== null && endedAt !== null && <Spent from={startedAt} to={endedAt} />,
  },
  { label: 'Ended because', width: 'minmax(140px, 2fr)', yields: 'late', cell: ({ reason }) => reason },
];

/** Who was in a console of a service and when, the newest first. They are kept when the service is gone. */
export const Sessions = ({ items }: { readonly items: readonly ConsoleSessionItem[] }) => (
  <Card title="Sessions" label="Console sessions" actions={<span class="muted small">newest first</span>}>
    {items.length === 0 ? (
      <Empty title="No session yet" text="Each console session is listed here, with who opened it and when." />
    ) : (
      <VirtualTable
        label="Console sessions; arrows move, Enter opens"
        items={items}
        columns={columns}
        keyOf={({ session }) => session}
        open={({ session }) => go(addressOf.instance('consoleSession', `coreconsolesessions:${session}`))}
        sorting={{ sort: 'name', reversed: false }}
        onSort={() => {}}
        asked=""
      />
    )}
  </Card>
);
