import { useSignal } from '@preact/signals';
import type { Items, Read, Trigger, TriggerRemoved } from '../../../../api.ts';
import { act, api, remove } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Table, type TableColumn } from '../../../components/table/table.tsx';
import { ofService } from '../../../kindPages/service/concerns.ts';
import { Command } from '../../../components/copy.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Refused } from '../../../components/refused.tsx';
import { Ago, Countdown } from '../../../components/times.tsx';
import { useLoaded } from '../../../store/loaded.ts';
import { mayAct } from '../../../store/session.ts';
import { fieldsOf } from '../../../model/formData.ts';
import { triggerProblem } from '../../../model/functionCode.ts';
import { appliesWord, scheduledWord } from '../../../model/gate.ts';
import { tokenCommand } from './text.ts';

interface TriggersProps {
  readonly read: Read;
  readonly onSaved: () => void;
}

/** The schedules of a function. */
export function Triggers({ read, onSaved }: TriggersProps) {
  const { name } = read.resource;
  const loaded = useLoaded<Items<Trigger>>(api.ofApp(name, 'triggers'), ofService(name));
  const { reload } = loaded;
  const refused = useSignal('');
  const changed = () => {
    reload();
    onSaved();
  };
  const drop = async (trigger: string) => {
    const answer = await remove<TriggerRemoved>(api.trigger(name, trigger));
    refused.value = answer.is === 'ok' ? '' : answer.error;
    changed();
  };
  return (
    <Card
      title="Schedules"
      actions={<span class="muted small">In UTC, one call at a time. {appliesWord(read.resource)}</span>}
    >
      <Loaded of={loaded} height={80} empty={<p class="card-body muted">Nothing calls it by itself.</p>}>
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
          <summary>The token of its calls</summary>
          <div class="card-body stack-tight">
            <p>
              A schedule sends it in the header <code>x-core-trigger-token</code>. It is drawn once and is in no answer
              of the API:
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

function AddTrigger({ name, onAdded }: { readonly name: string; readonly onAdded: () => void }) {
  const busy = useSignal(false);
  const failed = useSignal('');
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement) || busy.value) return;
    const field = fieldsOf(form);
    const asked = { name: field('name').trim(), cron: field('cron').trim() };
    failed.value = triggerProblem(asked.name, asked.cron) ?? '';
    if (failed.value !== '') return;
    busy.value = true;
    const answer = await act<Trigger>(api.ofApp(name, 'triggers'), asked);
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    if (answer.is !== 'ok') return;
    form.reset();
    onAdded();
  };
  return (
    <form class="card-body form narrow" onSubmit={(event) => void add(event)}>
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
      <Refused text={failed.value} />
      <div>
        <button type="submit" class="button" aria-busy={busy.value}>
          {busy.value ? 'Adding …' : 'Add schedule'}
        </button>
      </div>
    </form>
  );
}
