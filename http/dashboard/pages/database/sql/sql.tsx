import { useSignal } from '@preact/signals';
import type { Read } from '../../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { Form } from '../../../components/form/form.tsx';
import { submitButton } from '../../../components/form/formButtons.tsx';
import { Note } from '../../../components/note.tsx';
import { Countdown } from '../../../components/times.tsx';
import { mayAct } from '../../../store/session.ts';
import { detailOf } from '../../../model/details.ts';
import { type QueryResult, endWord, programWord, statementMs, onlyAdmins, notRecorded } from './text.ts';
import { write } from '../../../api.ts';

interface Ran {
  readonly answer: QueryResult;
  readonly tookMs: number;
}

/** Runs statements in the database, one at a time; nothing of them is kept. */
export function Sql({ read: { resource } }: { readonly read: Read }) {
  const statement = useSignal('');
  const startedAt = useSignal<number | null>(null);
  const ran = useSignal<Ran | null>(null);
  const run = async () => {
    const from = Date.now();
    startedAt.value = from;
    const result = await write(
      'POST /databases/{database}/query',
      { database: resource.name },
      { statement: statement.value },
    );
    startedAt.value = null;
    ran.value = result.is === 'ok' ? { answer: result.value, tookMs: Date.now() - from } : null;
    return result;
  };
  if (!mayAct()) return <Note tone="idle">{onlyAdmins}</Note>;
  const isReady = resource.state === 'ready';
  return (
    <Card
      title="SQL"
      actions={
        <span class="muted small">
          {programWord(detailOf(resource, 'engine'))} {notRecorded}
        </span>
      }
    >
      <Form
        look="card-body form"
        send={run}
        onDone={() => {}}
        buttons={submitButton('Run statement', 'Running', { isDisabled: !isReady || statement.value.trim() === '' })}
      >
        {({ buttons }) => (
          <>
            <label class="field">
              Statement
              <textarea
                class="input area mono"
                rows={6}
                spellcheck={false}
                value={statement.value}
                onInput={(event) => (statement.value = event.currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                    event.currentTarget.form?.requestSubmit();
                }}
              />
            </label>
            <div class="row">
              {buttons}
              {startedAt.value !== null && (
                <span class="muted">
                  Ended in <Countdown at={new Date(startedAt.value + statementMs).toISOString()} />
                </span>
              )}
              {!isReady && <span class="muted">The database is {resource.state}: it has to be ready first.</span>}
            </div>
          </>
        )}
      </Form>
      {ran.value && <Output {...ran.value} />}
    </Card>
  );
}

const Output = ({ answer, tookMs }: Ran) => (
  <div class="card-body stack-tight" role="status">
    <div class="row">
      <span class={answer.exitCode === 0 ? 'muted' : 'strong'}>{endWord(answer, tookMs)}</span>
      {answer.output !== '' && <CopyButton text={answer.output} what="the output" />}
    </div>
    {answer.output !== '' && (
      <pre class="json" tabIndex={0}>
        {answer.output}
      </pre>
    )}
  </div>
);
