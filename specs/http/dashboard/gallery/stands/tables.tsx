import { Table } from '../../../../../http/dashboard/components/table/table.tsx';
import type { TableColumn } from '../../../../../http/dashboard/components/table/tableColumn.ts';
import { address } from '../../../../../http/dashboard/router.ts';
import type { Stand } from '../stand.tsx';

interface Row {
  readonly id: string;
  readonly text: string;
}

/** Rows of one line, of several, and between them of many. */
const rowsOf = (name: string, count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${name}-${index}`,
    text: 'some words of a message. '.repeat(index % 7 === 3 ? 20 : 1 + (index % 3)),
  }));

const columns: readonly TableColumn<Row>[] = [
  { label: 'Name', look: 'nowrap', isRowHeading: true, cell: ({ id }) => <a href={`#${id}`}>{id}</a> },
  { label: 'Message', isNamed: true, cell: ({ text }) => text },
];

const Rows = ({ name, rows, hasDetail = false }: { name: string; rows: readonly Row[]; hasDetail?: boolean }) => (
  <Table
    label={name}
    look="stacked"
    isCard
    columns={columns}
    rows={rows}
    keyOf={({ id }) => id}
    idOf={({ id }) => id}
    isAimed={({ id }) => address.value.hash === `#${id}`}
    {...(hasDetail ? { detailOf: ({ id }: Row) => `Detail of ${id}` } : {})}
  />
);

const [few, some, many] = [rowsOf('few', 200), rowsOf('some', 300), rowsOf('many', 10_000)];

const rows: Stand = {
  name: 'rows',
  states: [
    ['two hundred', () => <Rows name="Few" rows={few} />],
    ['three hundred with details', () => <Rows name="Some" rows={some} hasDetail />],
    ['ten thousand', () => <Rows name="Many" rows={many} />],
  ],
};

export const tableSamples: readonly Stand[] = [rows];
