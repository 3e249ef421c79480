import { useSignal } from '@preact/signals';
import type { Summary } from '../../../api.ts';
import { pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Table } from '../../components/table/table.tsx';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { DeleteDialog } from '../../components/deleteDialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useLoaded } from '../../store/loaded.ts';
import { nodeBody, nodeFields, nodeValues, tagBody, tagFields, tagValues } from './model.ts';
import { openPorts } from './ports.ts';
import { HowPodsRun } from './howPodsRun.tsx';
import { NodeList } from './nodeList.tsx';
import { PlatformForm } from './platformForm.tsx';
import { addServerHelp, tagsHelp } from './text.ts';

/** The servers of the cluster: how far they have joined, and which tags they carry. */
export function NodesPage() {
  const loaded = useLoaded(pathTo('GET /nodes', {}), ofKinds('CoreNode', 'CoreCluster'));
  const { value, reload } = loaded;
  const chosen = useSignal('');
  const node = value?.items.find(({ name }) => name === chosen.value);
  return (
    <>
      <Loaded of={loaded} height={160}>
        {(value) => <NodeList nodes={value} onChoose={(name) => (chosen.value = name)} onManaged={reload} />}
      </Loaded>
      {node && <Chosen key={node.name} node={node} onSaved={reload} />}
      <HowPodsRun />
      <div class="narrow">
        <PlatformForm
          title="Add a server"
          help={addServerHelp}
          fields={nodeFields}
          values={nodeValues}
          empties
          what="server"
          verb="Add"
          save={(_, values) => write('POST /nodes', {}, nodeBody(values))}
          onSaved={reload}
        />
      </div>
      <Ports />
    </>
  );
}

const Ports = () => (
  <Card title="Ports of a server" actions={<span class="muted small">what its firewall must allow</span>}>
    <Table
      columns={[
        { label: 'Port', isRowHeading: true, look: 'mono', cell: ({ port, protocol }) => `${port}/${protocol}` },
        { label: 'For', look: 'wrap', cell: ({ purpose }) => purpose },
        { label: 'From', cell: ({ from }) => from },
      ]}
      rows={openPorts}
      keyOf={({ port }) => port}
    />
  </Card>
);

function Chosen({ node, onSaved }: { readonly node: Summary; readonly onSaved: () => void }) {
  const isDeleting = useSignal(false);
  return (
    <div class="stack narrow">
      <PlatformForm
        title={`Tags of ${node.name}`}
        help={tagsHelp}
        fields={tagFields}
        values={tagValues(node.details)}
        what="tags"
        save={(_, values) => write('POST /nodes/{node}/tags', { node: node.name }, tagBody(values))}
        onSaved={onSaved}
      />
      <div>
        <button type="button" class="button" aria-haspopup="dialog" onClick={() => (isDeleting.value = true)}>
          Remove {node.name}
        </button>
      </div>
      {isDeleting.value && (
        <DeleteDialog
          name={node.name}
          verb="Remove"
          goes={['its region, tags and reservation']}
          stays={['the node itself, with all that runs on it']}
          act={() => write('DELETE /nodes/{node}', { node: node.name }, { confirmName: node.name })}
          onDone={() => {
            isDeleting.value = false;
            onSaved();
          }}
          onClose={() => (isDeleting.value = false)}
        />
      )}
    </div>
  );
}
