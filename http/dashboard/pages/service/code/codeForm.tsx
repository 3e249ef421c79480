import type { Read } from '../../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { EditForm } from '../../../components/form/editForm.tsx';
import { useEdited } from '../../../components/form/useEdited.ts';
import { Value } from '../../../components/value.tsx';
import { mayAct } from '../../../store/session.ts';
import { detailOf } from '../../../model/details.ts';
import { bytesOf, maxCodeBytes, codeProblem, functionIn } from '../../../model/functionCode.ts';
import { appliesWord } from '../../../model/gate.ts';
import { grouped } from '../../../model/plural.ts';
import { restartOfService } from '../../../model/restart.ts';
import { write } from '../../../api.ts';

interface CodeFormProps {
  readonly read: Read;
  readonly copies: number | null;
  readonly onSaved: () => void;
}

const fields = [{ name: 'code', label: 'Code', kind: 'code' }] as const;

/** The code of a function. */
export function CodeForm({ read, copies, onSaved }: CodeFormProps) {
  const edited = useEdited({ code: functionIn(read.spec).code });
  const code = edited.values['code'] ?? '';
  if (!mayAct())
    return (
      <Card label="Code" isPadded>
        <Value value={code} redacted>
          {(text) => <pre class="json">{text}</pre>}
        </Value>
      </Card>
    );
  return (
    <EditForm
      title="Code"
      help={`${detailOf(read.resource, 'runtime')}. ${appliesWord(read.resource)}`}
      fields={fields}
      edited={edited}
      what="code"
      problem={() => codeProblem(code)}
      question={() => restartOfService(read, copies, ['source.function.code'])}
      save={() => write('PATCH /apps/{app}', { app: read.resource.name }, { code })}
      onSaved={onSaved}
    >
      <label class="field">
        <span class="row">
          Code
          <span class="muted small plain row-end" role="status">
            {grouped(bytesOf(code))} of {grouped(maxCodeBytes)} bytes
          </span>
        </span>
        <textarea
          class="input area mono code-area"
          rows={16}
          spellcheck={false}
          value={code}
          onInput={(event) => edited.set('code', event.currentTarget.value)}
        />
      </label>
    </EditForm>
  );
}
