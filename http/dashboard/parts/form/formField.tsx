import { useId } from 'preact/hooks';
import { mayAct, mayReadSensitive } from '../../store/session.ts';
import type { Field } from '../../words/settingFields.ts';
import { Select } from '../select.tsx';
import { Hidden } from '../value.tsx';

interface FormFieldProps {
  readonly field: Pick<Field, 'word' | 'kind' | 'means' | 'options'>;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** One setting with its name and what it means; whoever may not change it reads it. */
export function FormField({ field: { word, kind, means, options = [] }, value, onValue }: FormFieldProps) {
  const id = useId();
  const isLocked = !mayAct();
  if (kind === 'switch' || kind === 'state')
    return (
      <div class="field plain">
        <label class="check">
          <input
            type="checkbox"
            checked={value === 'on'}
            disabled={isLocked}
            aria-describedby={means === undefined ? undefined : id}
            onChange={(event) => onValue(event.currentTarget.checked ? 'on' : '')}
          />
          {word}
        </label>
        {means !== undefined && (
          <span id={id} class="muted small">
            {means}
          </span>
        )}
      </div>
    );
  if (isLocked && value === '' && !mayReadSensitive())
    return (
      <div class="field">
        {word} <Hidden />
      </div>
    );
  if (kind === 'choice')
    return <Select look="field" word={word} value={value} options={options} disabled={isLocked} onChoose={onValue} />;
  return (
    <div class="stack-tight">
      <label class="field">
        {word}
        <input
          class="input"
          inputMode={kind === 'number' ? 'numeric' : 'text'}
          value={value}
          readOnly={isLocked}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={means === undefined ? undefined : id}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      </label>
      {means !== undefined && (
        <span id={id} class="muted small plain">
          {means}
        </span>
      )}
    </div>
  );
}
