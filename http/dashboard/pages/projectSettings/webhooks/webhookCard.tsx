import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { WebhookCreated, WebhookItem } from '../../../../api.ts';
import { type ApiResult, write } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Confirm } from '../../../components/confirm.tsx';
import { DeleteDialog } from '../../../components/deleteDialog.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Refused } from '../../../components/refused.tsx';
import { mayAct } from '../../../store/session.ts';
import {
  choiceWord,
  chosenEvents,
  type EventName,
  eventWords,
  rotateWarning,
  addressHelp,
  testRefused,
} from './text.ts';
import { AddressForm } from './addressForm.tsx';
import { DeliveryLog } from './deliveryLog.tsx';

interface WebhookCardProps {
  readonly project: string;
  readonly webhook: WebhookItem;
  readonly onSecret: (made: WebhookCreated) => void;
  readonly onSaved: () => void;
}

/** One receiver: its address, its events, and what was sent to it. */
export function WebhookCard({ project, webhook, onSecret, onSaved }: WebhookCardProps) {
  const { id, url, disabled, signed } = webhook;
  const names = { project, webhook: id };
  const refused = useSignal('');
  const asking = useSignal<Asking | null>(null);
  const done = async <T,>(answering: Promise<ApiResult<T>>): Promise<T | null> => {
    asking.value = null;
    const answer = await answering;
    refused.value = answer.is === 'ok' ? '' : answer.error;
    onSaved();
    return answer.is === 'ok' ? answer.value : null;
  };
  const change = (changed: object) => done(write('PATCH /projects/{project}/webhooks/{webhook}', names, changed));
  const rotate = async () => {
    const made = await done(write('POST /projects/{project}/webhooks/{webhook}/rotate', names));
    if (made) onSecret(made);
  };
  const redeliver = (delivery: string) =>
    done(write('POST /projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver', { ...names, delivery }));
  return (
    <Card label={`Webhook ${url}`}>
      <div class="card-head">
        <h2 class="mono wrap">{url}</h2>
        <span class="muted small">
          {disabled ? 'paused' : choiceWord(webhook)} · {signed ? 'signed' : 'not signed'}
        </span>
      </div>
      <div class="card-body form">
        {mayAct() && <Events webhook={webhook} choose={(events) => change({ events })} />}
        <Refused text={refused.value} />
        {mayAct() && (
          <Buttons
            webhook={webhook}
            onTest={() => void done(write('POST /projects/{project}/webhooks/{webhook}/test', names))}
            onPause={() => void change({ disabled: !disabled })}
            onAsk={(what) => (asking.value = what)}
          />
        )}
        {mayAct() && disabled && <p class="muted small refused">{testRefused}</p>}
      </div>
      <DeliveryLog project={project} webhook={id} onRedeliver={(one) => void redeliver(one)} />
      <AskedDialog
        asking={asking.value}
        webhook={webhook}
        project={project}
        onRotate={() => void rotate()}
        onClose={() => (asking.value = null)}
        onSaved={() => {
          asking.value = null;
          onSaved();
        }}
      />
    </Card>
  );
}

/** What a dialog is open for. */
type Asking = 'address' | 'rotate' | 'delete';

interface ButtonsProps {
  readonly webhook: WebhookItem;
  readonly onTest: () => void;
  readonly onPause: () => void;
  readonly onAsk: (what: Asking) => void;
}

const Buttons = ({ webhook: { url, disabled }, onTest, onPause, onAsk }: ButtonsProps) => (
  <div class="row" role="group" aria-label={`Actions on ${url}`}>
    <button type="button" class="button" disabled={disabled} onClick={onTest}>
      Send test
    </button>
    <button type="button" class="button" onClick={onPause}>
      {disabled ? 'Resume' : 'Pause'}
    </button>
    <button type="button" class="button" aria-haspopup="dialog" onClick={() => onAsk('address')}>
      Change address
    </button>
    <button type="button" class="button" aria-haspopup="dialog" onClick={() => onAsk('rotate')}>
      Rotate secret
    </button>
    <button type="button" class="button button-bad" aria-haspopup="dialog" onClick={() => onAsk('delete')}>
      Delete
    </button>
  </div>
);

interface AskedDialogProps {
  readonly asking: Asking | null;
  readonly webhook: WebhookItem;
  readonly project: string;
  readonly onRotate: () => void;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function AskedDialog({ asking, webhook, project, onRotate, onClose, onSaved }: AskedDialogProps) {
  const { id, url } = webhook;
  switch (asking) {
    case null:
      return null;
    case 'address':
      return <ChangeAddress webhook={webhook} project={project} onClose={onClose} onSaved={onSaved} />;
    case 'rotate':
      return <Confirm title="Rotate the secret?" text={rotateWarning} yes="Rotate" onYes={onRotate} onNo={onClose} />;
    case 'delete':
      return (
        <DeleteDialog
          name={id}
          goes={[`the webhook that sends to ${url}`, 'its secret', 'the log of what was sent']}
          stays={['the services, and all other webhooks']}
          act={() => write('DELETE /projects/{project}/webhooks/{webhook}', { project, webhook: id })}
          onDone={onSaved}
          onClose={onClose}
        />
      );
  }
}

interface ChangeAddressProps {
  readonly webhook: WebhookItem;
  readonly project: string;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

const ChangeAddress = ({ webhook: { id, url }, project, onClose, onSaved }: ChangeAddressProps) => (
  <Dialog title="Change the address" onClose={onClose}>
    <p class="muted">{addressHelp}</p>
    <AddressForm
      before={url}
      verb="Save address"
      busyVerb="Saving"
      send={(to) => write('PATCH /projects/{project}/webhooks/{webhook}', { project, webhook: id }, { url: to })}
      onSent={onSaved}
    >
      <button type="button" class="button" onClick={onClose}>
        Cancel
      </button>
    </AddressForm>
  </Dialog>
);

interface EventsProps {
  readonly webhook: WebhookItem;
  /** Null where it was refused. */
  readonly choose: (events: readonly EventName[]) => Promise<unknown>;
}

/** The events of a webhook, as they were chosen last, also while that is not stored yet. */
function Events({ webhook: { events: stored, id }, choose }: EventsProps) {
  const wanted = useSignal<readonly EventName[] | null>(null);
  const events: readonly string[] = wanted.value ?? stored;
  useEffect(() => {
    wanted.value = null;
  }, [stored.join(' ')]);
  const onChoose = async (next: readonly EventName[]) => {
    wanted.value = next;
    if ((await choose(next)) === null) wanted.value = null;
  };
  const chosen = eventWords.map(({ event }) => event).filter((event) => events.length === 0 || events.includes(event));
  return (
    <fieldset class="row" aria-label={`Events of ${id}`}>
      {eventWords.map(({ event, label }) => {
        const isChosen = chosen.includes(event);
        const next = isChosen ? chosen.filter((one) => one !== event) : [...chosen, event];
        return (
          <label key={event} class="check">
            <input
              type="checkbox"
              checked={isChosen}
              // None chosen means every event.
              disabled={isChosen && chosen.length === 1}
              onChange={() => void onChoose(chosenEvents(next))}
            />
            {label}
          </label>
        );
      })}
    </fieldset>
  );
}
