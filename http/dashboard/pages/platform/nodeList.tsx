import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import type { Nodes, Summary, UnmanagedNode } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Refused } from '../../components/refused.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { Table } from '../../components/table/table.tsx';
import type { TableColumn } from '../../components/table/tableColumn.ts';
import { capital } from '../../model/capital.ts';
import { detailOf, textsIn } from '../../model/details.ts';
import { managedBody } from './model.ts';
import { write } from '../../api.ts';
import { noServerText, unmanagedNode } from './text.ts';

interface NodeListProps {
  readonly nodes: Nodes;
  readonly onChoose: (name: string) => void;
  readonly onManaged: () => void;
}

/** The servers, and below them the nodes of the cluster that nobody manages here. */
export function NodeList({ nodes: { items, unmanaged }, onChoose, onManaged }: NodeListProps) {
  const refused = useSignal('');
  const manage = async (node: UnmanagedNode) => {
    const answer = await write('POST /nodes', {}, managedBody(node));
    refused.value = answer.is === 'ok' ? '' : answer.error;
    if (answer.is === 'ok') onManaged();
  };
  return (
    <Card label="Servers">
      {items.length + unmanaged.length === 0 && <Empty title="No server yet" text={noServerText} />}
      {items.length + unmanaged.length > 0 && (
        <Table
          look="stacked"
          columns={columns}
          rows={[
            ...items.map((node) => managedRow(node, onChoose)),
            ...unmanaged.map((node) => unmanagedRow(node, () => void manage(node))),
          ]}
          keyOf={({ name }) => name}
        />
      )}
      <Refused text={refused.value} inCard />
    </Card>
  );
}

/** A server as the list shows it: with an entry of its own, or without one. */
interface Server {
  readonly name: string;
  readonly heading: ComponentChildren;
  readonly state: string;
  readonly stateShown: string;
  readonly region: string;
  readonly tags: string;
  readonly reserved: ComponentChildren;
  readonly message: ComponentChildren;
}

const columns: readonly TableColumn<Server>[] = [
  { label: 'Name', isRowHeading: true, cell: ({ heading }) => heading },
  { label: 'State', cell: ({ state, stateShown }) => <StateChip state={state} shown={stateShown} /> },
  { label: 'Region', isNamed: true, cell: ({ region }) => region },
  { label: 'Tags', isNamed: true, cell: ({ tags }) => tags },
  { label: 'Reserved for', isNamed: true, cell: ({ reserved }) => reserved },
  { label: 'Message', look: 'wrap', cell: ({ message }) => message },
];

const managedRow = (node: Summary, onChoose: (name: string) => void): Server => ({
  name: node.name,
  heading: (
    <button type="button" class="button button-small button-plain" onClick={() => onChoose(node.name)}>
      {node.name}
    </button>
  ),
  state: node.state,
  stateShown: capital(node.state),
  region: detailOf(node, 'region'),
  tags: textsIn(node.details['tags']).join(', '),
  reserved: detailOf(node, 'reserved'),
  message: node.message,
});

const unmanagedRow = ({ name, ready, region, tags }: UnmanagedNode, onManage: () => void): Server => ({
  name,
  heading: name,
  state: ready ? 'ready' : 'failed',
  stateShown: ready ? 'Ready' : 'Not ready',
  region,
  tags: tags.join(', '),
  reserved: <span class="muted">not managed</span>,
  message: (
    <>
      {unmanagedNode}{' '}
      <button type="button" class="button button-small" aria-label={`Manage ${name}`} onClick={onManage}>
        Manage
      </button>
    </>
  ),
});
