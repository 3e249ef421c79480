import { useSignal } from '@preact/signals';
import type { FunctionAnswer, Read } from '../../../../api.ts';
import { act, api } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Refused } from '../../../components/refused.tsx';
import { fieldsOf } from '../../../model/formData.ts';
import { bodyShown, functionIn } from '../../../model/functionCode.ts';
import { calledWord } from '../../../model/gate.ts';

const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/** Calls a function as it runs, and shows what it answered. */
export function CallFunction({ read }: { readonly read: Read }) {
  const { name } = read.resource;
  const busy = useSignal(false);
  const failed = useSignal('');
  const answered = useSignal<FunctionAnswer | null>(null);
  const call = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement) || busy.value) return;
    const field = fieldsOf(event.currentTarget);
    const body = field('body');
    busy.value = true;
    answered.value = null;
    const answer = await act<FunctionAnswer>(api.ofApp(name, 'call'), {
      method: field('method') || 'POST',
      path: field('path').trim() || '/',
      ...(body === '' ? {} : { body }),
    });
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    if (answer.is === 'ok') answered.value = answer.value;
  };
  return (
    <Card title="Call" actions={<span class="muted small">{calledWord(read.resource)}</span>}>
      <form class="card-body form narrow" onSubmit={(event) => void call(event)}>
        {functionIn(read.spec).mode === 'http' && (
          <div class="pair">
            <label class="field">
              Method
              <select class="select" name="method">
                {methods.map((method) => (
                  <option key={method} value={method}>
                    {method}
                  </option>
                ))}
              </select>
            </label>
            <label class="field">
              Path
              <input class="input mono" name="path" placeholder="/" autocomplete="off" spellcheck={false} />
            </label>
          </div>
        )}
        <label class="field">
          Body
          <textarea class="input area mono" name="body" rows={4} spellcheck={false} />
        </label>
        <div>
          <button type="submit" class="button button-main" aria-busy={busy.value}>
            {busy.value ? 'Calling …' : `Call ${name}`}
          </button>
        </div>
      </form>
      <Refused text={failed.value} inCard />
      {answered.value && <QueryResult answer={answered.value} />}
    </Card>
  );
}

const QueryResult = ({ answer: { status, body, durationMs } }: { readonly answer: FunctionAnswer }) => (
  <div class="card-body stack-tight" role="status">
    <p>
      <b>{status}</b> <span class="muted">after {durationMs} ms</span>
    </p>
    {body !== '' && (
      <pre class="json" tabIndex={0} aria-label="What it answered">
        {bodyShown(body)}
      </pre>
    )}
  </div>
);
