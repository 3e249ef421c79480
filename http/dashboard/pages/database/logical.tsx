import { useSignal } from '@preact/signals';
import type { Read, Summary } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { CauseCell } from '../../components/cause/causeCell.tsx';
import { Form } from '../../components/form/form.tsx';
import { submitButton } from '../../components/form/formButtons.tsx';
import { Table } from '../../components/table/table.tsx';
import { useLogicalDatabasesOn } from '../../kindPages/lists.ts';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { Since } from '../../components/times.tsx';
import { addressOf } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import { isShared } from '../../model/databaseSettings.ts';
import { detailOf } from '../../model/details.ts';
import { stateWord } from '../../model/state.ts';
import { write } from '../../api.ts';
import { noLogicalDatabaseText } from './text.ts';

/** The logical databases of a server. */
export function LogicalOnServer({ read }: { readonly read: Read }) {
  const loaded = useLogicalDatabasesOn(read.resource.name);
  return (
    <Card
      title="Logical databases"
      actions={isShared(read) && <span class="muted small">of all projects; a project adds one of its own</span>}
    >
      <Loaded of={loaded} height={160} empty={<Empty title="No logical database yet" text={noLogicalDatabaseText} />}>
        {({ items }) => <LogicalTable items={items} />}
      </Loaded>
      {mayAct() && !isShared(read) && <Add read={read} onMade={loaded.reload} />}
    </Card>
  );
}

const LogicalTable = ({ items }: { readonly items: readonly Summary[] }) => (
  <Table
    columns={[
      { label: 'State', cell: (item) => <StateChip state={item.state} shown={stateWord(item.state)} /> },
      {
        label: 'Name',
        cell: (item) => (
          <a class="strong" href={addressOf.logicalDatabase(item)}>
            {item.displayName}
          </a>
        ),
      },
      { label: 'Database', look: 'mono', isNamed: true, cell: (item) => detailOf(item, 'database') },
      {
        label: 'Cause',
        look: 'small',
        cell: (item) => <CauseCell owner={item} cause={item.cause} message={item.message} />,
      },
      { label: 'Age', look: 'nowrap muted', isNamed: true, cell: (item) => <Since at={item.createdAt} /> },
    ]}
    rows={items}
    keyOf={(item) => item.name}
    look="stacked"
  />
);

function Add({ read: { resource }, onMade }: { readonly read: Read; readonly onMade: () => void }) {
  const typed = useSignal('');
  const { name: server, project, environment } = resource;
  return (
    <Form
      look="card-body stack-tight"
      send={() => write('POST /logical-databases', {}, { project, environment, server, databaseName: typed.value })}
      onDone={() => {
        typed.value = '';
        onMade();
      }}
      buttons={submitButton('Create logical database', 'Creating', { look: 'plain', isDisabled: typed.value === '' })}
    >
      {({ buttons }) => (
        <div class="row">
          <label class="row">
            Name of the database on the server
            <input
              class="input"
              placeholder="app"
              autocomplete="off"
              spellcheck={false}
              value={typed.value}
              onInput={(event) => (typed.value = event.currentTarget.value)}
            />
          </label>
          {buttons}
        </div>
      )}
    </Form>
  );
}
