import type { DeviceDecision, DeviceReview } from '../../../api.ts';
import { useSignal } from '@preact/signals';
import type { ApiResult } from '../../api.ts';
import { Choice } from '../../components/choice.tsx';
import { Form } from '../../components/form/form.tsx';
import { Note } from '../../components/note.tsx';
import { accessMeans, accessWords } from '../../model/access.ts';
import { plural } from '../../model/plural.ts';
import { approval, type Decision, defaultAccess, defaultDays, denial } from './request.ts';

interface DecideFormProps {
  readonly request: DeviceReview;
  readonly decide: (decision: Decision) => Promise<ApiResult<DeviceDecision>>;
  readonly onDecided: (decision: DeviceDecision) => void;
  /** Called when a decision is refused. */
  readonly onRefused: (why: string) => void;
}

/** What access the client receives, and for how long; or that it receives none (DEV-008, DEV-009). */
export function DecideForm({ request, decide, onDecided, onRefused }: DecideFormProps) {
  const { user_code: code, accesses, lifetimes } = request;
  const access = useSignal(defaultAccess);
  return (
    <Form
      send={(read, button) => decide(button === 'deny' ? denial(request) : approval(request, read))}
      onDone={onDecided}
      onRefused={onRefused}
      buttons={[
        { name: 'deny', label: 'Refuse', busyLabel: 'Refusing', look: 'bad' },
        { name: 'approve', label: `Approve ${code}`, busyLabel: 'Approving', isSubmit: true },
      ]}
    >
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
    </Form>
  );
}
