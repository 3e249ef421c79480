import type { DeviceReview } from '../../../api.ts';
import { useSignal } from '@preact/signals';
import { Choice } from '../../components/choice.tsx';
import { Note } from '../../components/note.tsx';
import { accessMeans, accessWords } from '../../model/access.ts';
import { fieldsOf } from '../../model/formData.ts';
import { plural } from '../../model/plural.ts';
import { approval, type Decision, defaultAccess, defaultDays, denial } from './request.ts';

interface DecideFormProps {
  readonly request: DeviceReview;
  /** The decision in progress. */
  readonly asked: Decision['is'] | null;
  readonly onDecide: (decision: Decision) => void;
}

/** What access the client receives, and for how long; or that it receives none (DEV-008, DEV-009). */
export function DecideForm({ request, asked, onDecide }: DecideFormProps) {
  const { user_code: code, accesses, lifetimes } = request;
  const access = useSignal(defaultAccess);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    onDecide(approval(request, fieldsOf(event.currentTarget)));
  };
  return (
    <form class="form" onSubmit={submit}>
      <fieldset class="choices">
        <legend>Access</legend>
        {accesses.map((role) => (
          <Choice
            key={role}
            name="access"
            value={role}
            label={accessWords[role]}
            help={accessMeans[role]}
            chosen={role === defaultAccess}
            onChoose={() => (access.value = role)}
          />
        ))}
      </fieldset>
      <fieldset class="choices choices-row">
        <legend>The token is valid for</legend>
        {lifetimes.map((days) => (
          <Choice
            key={days}
            name="days"
            value={String(days)}
            label={plural(days, 'day')}
            chosen={days === defaultDays}
          />
        ))}
      </fieldset>
      <Note tone="waiting" sign="bang">
        Whoever holds this code receives the token
        {access.value === 'admin' ? ', and with it everything an admin may do' : ''}. Compare it with the code that your
        client shows, and refuse a sign-in that you did not start.
      </Note>
      <div class="dialog-end">
        <button
          type="button"
          class="button button-bad"
          aria-busy={asked === 'deny'}
          onClick={() => onDecide(denial(request))}
        >
          {asked === 'deny' ? 'Refusing …' : 'Refuse'}
        </button>
        <button type="submit" class="button button-main" aria-busy={asked === 'approve'}>
          {asked === 'approve' ? 'Approving …' : `Approve ${code}`}
        </button>
      </div>
    </form>
  );
}
