import { useSignal } from '@preact/signals';
import type { Nodes, Summary, UnmanagedNode } from '../../../api.ts';
import { act, api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Columns } from '../../components/columns.tsx';
import { Empty } from '../../components/empty.tsx';
import { Refused } from '../../components/refused.tsx';
import { ScrollBox } from '../../components/scrollBox.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { capital } from '../../model/capital.ts';
import { detailOf, textsIn } from '../../model/details.ts';
import { managedBody } from './model.ts';

interface NodeListProps {
  readonly nodes: Nodes;
  readonly onChoose: (name: string) => void;
  readonly onManaged: () => void;
}

/** The servers, and below them the nodes of the cluster that nobody manages here. */
export function NodeList({ nodes: { items, unmanaged }, onChoose, onManaged }: NodeListProps) {
  const refused = useSignal('');
  const manage = async (node: UnmanagedNode) => {
    const answer = await act(api.nodes, managedBody(node));
    refused.value = answer.is === 'ok' ? '' : answer.error;
    if (answer.is === 'ok') onManaged();
  };
  return (
    <Card label="Servers">
      {items.length + unmanaged.length === 0 && (
        <Empty title="No server yet" text="The cluster has no node. A server that is added joins it over SSH." />
      )}
      {items.length + unmanaged.length > 0 && (
        <ScrollBox>
          <table class="stacked">
            <Columns names={['Name', 'State', 'Region', 'Tags', 'Reserved for', 'Message']} />
            <tbody>
              {items.map((node) => (
                <Server key={node.name} node={node} onChoose={onChoose} />
              ))}
              {unmanaged.map((node) => (
                <Unmanaged key={node.name} node={node} onManage={() => void manage(node)} />
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
      <Refused text={refused.value} inCard />
    </Card>
  );
}

const Server = ({ node, onChoose }: { readonly node: Summary; readonly onChoose: (name: string) => void }) => (
  <tr>
    <th scope="row">
      <button type="button" class="button button-small button-plain" onClick={() => onChoose(node.name)}>
        {node.name}
      </button>
    </th>
    <td>
      <StateChip state={node.state} shown={capital(node.state)} />
    </td>
    <td data-name="Region">{detailOf(node, 'region')}</td>
    <td data-name="Tags">{textsIn(node.details['tags']).join(', ')}</td>
    <td data-name="Reserved for">{detailOf(node, 'reserved')}</td>
    <td class="wrap">{node.message}</td>
  </tr>
);

const Unmanaged = ({ node, onManage }: { readonly node: UnmanagedNode; readonly onManage: () => void }) => (
  <tr>
    <th scope="row">{node.name}</th>
    <td>
      <StateChip state={node.ready ? 'ready' : 'failed'} shown={node.ready ? 'Ready' : 'Not ready'} />
    </td>
    <td data-name="Region">{node.region}</td>
    <td data-name="Tags">{node.tags.join(', ')}</td>
    <td class="muted">not managed</td>
    <td class="wrap">
      It has no entry here, in which its region and tags can be changed.{' '}
      <button type="button" class="button button-small" aria-label={`Manage ${node.name}`} onClick={onManage}>
        Manage
      </button>
    </td>
  </tr>
);
