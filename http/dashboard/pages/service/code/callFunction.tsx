import { useSignal } from '@preact/signals';
import type { FunctionAnswer, Read } from '../../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Form, type ReadField } from '../../../components/form/form.tsx';
import { submitButton } from '../../../components/form/formButtons.tsx';
import { bodyShown, functionIn } from '../../../model/functionCode.ts';
import { calledWord } from '../../../model/gate.ts';
import { write } from '../../../api.ts';

const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

const callBody = (read: ReadField) => ({
  method: read('method') || 'POST',
  path: read('path').trim() || '/',
  ...(read('body') === '' ? {} : { body: read('body') }),
});

/** Calls a function as it runs, and shows what it answered. */
export function CallFunction({ read }: { readonly read: Read }) {
  const { name } = read.resource;
  const answered = useSignal<FunctionAnswer | null>(null);
  return (
    <Card title="Call" actions={<span class="muted small">{calledWord(read.resource)}</span>}>
      <Form
        look="card-body form narrow"
        send={(read) => {
          answered.value = null;
          return write('POST /apps/{app}/call', { app: name }, callBody(read));
        }}
        onDone={(answer) => (answered.value = answer)}
        buttons={submitButton(`Call ${name}`, 'Calling')}
        end="left"
      >
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
      </Form>
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
