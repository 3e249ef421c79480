import { useSignal } from '@preact/signals';
import type { Read, Trigger } from '../../../../api.ts';
import { pathTo, write } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Form, type ReadField } from '../../../components/form/form.tsx';
import { submitButton } from '../../../components/form/formButtons.tsx';
import { Table } from '../../../components/table/table.tsx';
import type { TableColumn } from '../../../components/table/tableColumn.ts';
import { ofService } from '../../../kindPages/service/concerns.ts';
import { Command } from '../../../components/copy.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Refused } from '../../../components/refused.tsx';
import { Ago, Countdown } from '../../../components/times.tsx';
import { useLoaded } from '../../../store/loaded.ts';
import { mayAct } from '../../../store/session.ts';
import { triggerProblem } from '../../../model/functionCode.ts';
import { appliesWord, scheduledWord } from '../../../model/gate.ts';
import { tokenCommand, noScheduleText } from './text.ts';

interface TriggersProps {
  readonly read: Read;
  readonly onSaved: () => void;
}

/** The schedules of a function. */
export function Triggers({ read, onSaved }: TriggersProps) {
  const { name } = read.resource;
  const loaded = useLoaded(pathTo('GET /apps/{app}/triggers', { app: name }), ofService(name));
  const { reload } = loaded;
  const refused = useSignal('');
  const changed = () => {
    reload();
    onSaved();
  };
  const drop = async (trigger: string) => {
    const answer = await write('DELETE /apps/{app}/triggers/{trigger}', { app: name, trigger });
    refused.value = answer.is === 'ok' ? '' : answer.error;
    changed();
  };
  return (
    <Card
      title="Schedules"
      actions={<span class="muted small">In UTC, one call at a time. {appliesWord(read.resource)}</span>}
    >
      <Loaded of={loaded} height={80} empty={<p class="card-body muted">{noScheduleText}</p>}>
        {({ items }) => (
          <Table
            columns={columnsOf(scheduledWord(read.resource), (trigger) => void drop(trigger))}
            rows={items}
            keyOf={(trigger) => trigger.name}
          />
        )}
      </Loaded>
      <Refused text={refused.value} inCard />
      {mayAct() && <AddTrigger name={name} onAdded={changed} />}
      {mayAct() && (
        <details class="why">
          <summary>Token of its calls</summary>
          <div class="card-body stack-tight">
            <p>
              A schedule sends the token in the header <code>x-core-trigger-token</code>. The token is generated once
              and is in no response of the API:
            </p>
            <Command what="the command that reads the token" text={tokenCommand(read.resource)} />
          </div>
        </details>
      )}
    </Card>
  );
}

/** `begins` is when a schedule begins that is not deployed. */
const columnsOf = (begins: string, onRemove: (trigger: string) => void): readonly TableColumn<Trigger>[] => [
  { label: 'Name', look: 'strong', cell: ({ name }) => name },
  { label: 'Schedule', look: 'mono nowrap', cell: ({ cron }) => cron },
  { label: 'Last call', look: 'muted', cell: ({ lastAt }) => (lastAt === null ? 'never' : <Ago at={lastAt} />) },
  { label: 'Next call', look: 'muted', cell: ({ nextAt }) => (nextAt === null ? begins : <Countdown at={nextAt} />) },
  ...(mayAct() ? [removeColumn(onRemove)] : []),
];

const removeColumn = (onRemove: (trigger: string) => void): TableColumn<Trigger> => ({
  label: 'Remove',
  cell: ({ name }) => (
    <button type="button" class="button button-small" aria-label={`Remove ${name}`} onClick={() => onRemove(name)}>
      Remove
    </button>
  ),
});

const triggerIn = (read: ReadField) => ({ name: read('name').trim(), cron: read('cron').trim() });

const AddTrigger = ({ name, onAdded }: { readonly name: string; readonly onAdded: () => void }) => (
  <Form
    look="card-body form narrow"
    problem={(read) => triggerProblem(triggerIn(read).name, triggerIn(read).cron)}
    send={(read) => write('POST /apps/{app}/triggers', { app: name }, triggerIn(read))}
    onDone={(_, form) => {
      form.reset();
      onAdded();
    }}
    buttons={submitButton('Add schedule', 'Adding', { look: 'plain' })}
    end="left"
  >
    <div class="pair">
      <label class="field">
        Name of the schedule
        <input class="input" name="name" placeholder="nightly" autocomplete="off" spellcheck={false} />
      </label>
      <label class="field">
        Cron, in UTC
        <input class="input mono" name="cron" placeholder="0 3 * * *" autocomplete="off" spellcheck={false} />
      </label>
    </div>
  </Form>
);
