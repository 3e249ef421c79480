import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { Read, StatusItem } from '../../../api.ts';
import { api, change } from '../../api.ts';
import { Note } from '../../parts/note.tsx';
import { Hidden } from '../../parts/value.tsx';
import { holdPage } from '../../router.ts';
import { mayAct, mayReadSensitive } from '../../store/session.ts';
import { plural } from '../../words/plural.ts';
import { changedBody, type Field, type FormValues, shownFields, valuesOf } from '../../words/settings.ts';

interface SettingsFormProps {
  readonly title: string;
  readonly means: string;
  readonly fields: readonly Field[];
  readonly read: Read;
  readonly onSaved: () => void;
}

/** Settings that apply at the same time. A field under edit keeps what was typed, whatever arrives. */
export function SettingsForm({ title, means, fields, read, onSaved }: SettingsFormProps) {
  const server = valuesOf(fields, read);
  const before = useSignal<FormValues>(server);
  const values = useSignal<FormValues>(server);
  const busy = useSignal(false);
  const failed = useSignal('');
  const dirty = fields.filter(({ name }) => values.value[name] !== before.value[name]).length;
  const isMovedOn = JSON.stringify(server) !== JSON.stringify(before.value);
  const take = () => {
    before.value = server;
    values.value = server;
    failed.value = '';
  };
  useEffect(() => {
    if (isMovedOn && dirty === 0) take();
  }, [isMovedOn, dirty]);
  useEffect(
    () => (dirty === 0 ? undefined : holdPage(`${plural(dirty, 'setting is', 'settings are')} not saved.`)),
    [dirty],
  );
  const save = async (event: Event) => {
    event.preventDefault();
    if (busy.value || dirty === 0) return;
    busy.value = true;
    const answer = await change<StatusItem>(
      api.app(read.resource.name),
      changedBody(fields, before.value, values.value),
    );
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    if (answer.is !== 'ok') return;
    before.value = values.value;
    onSaved();
  };
  return (
    <section class="card" aria-label={title}>
      <div class="card-head">
        <h2>{title}</h2>
        <span class="muted small">{means}</span>
      </div>
      <form class="card-body form" onSubmit={(event) => void save(event)}>
        {shownFields(fields, values.value).map((field) => (
          <Setting
            key={field.name}
            field={field}
            value={values.value[field.name] ?? ''}
            onValue={(value) => (values.value = { ...values.value, [field.name]: value })}
          />
        ))}
        {isMovedOn && dirty > 0 && !busy.value && (
          <Note tone="waiting">
            These settings were changed elsewhere.{' '}
            <button type="button" class="button button-small" onClick={take}>
              Show them
            </button>
          </Note>
        )}
        {failed.value !== '' && <Note tone="bad">{failed.value}</Note>}
        {mayAct() && (
          <div class="dialog-end">
            <button type="button" class="button" disabled={dirty === 0} onClick={take}>
              Cancel
            </button>
            <button type="submit" class="button button-main" disabled={dirty === 0} aria-busy={busy.value}>
              {busy.value ? 'Saving …' : 'Save settings'}
            </button>
          </div>
        )}
      </form>
    </section>
  );
}

interface SettingProps {
  readonly field: Field;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function Setting({ field: { word, kind, means }, value, onValue }: SettingProps) {
  const id = useId();
  const isLocked = !mayAct();
  if (kind === 'switch')
    return (
      <div class="check">
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
  return (
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
      {means !== undefined && (
        <span id={id} class="muted small plain">
          {means}
        </span>
      )}
    </label>
  );
}
