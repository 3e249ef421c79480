import type { Answer } from '../../api.ts';
import { EditForm } from '../../parts/form/editForm.tsx';
import { FormField } from '../../parts/form/formField.tsx';
import { type Edited, useEdited } from '../../parts/form/useEdited.ts';
import type { FormValues } from '../../words/form.ts';
import type { Field } from '../../words/settingFields.ts';

interface PlatformFormProps {
  readonly title: string;
  readonly means: string;
  readonly fields: readonly Pick<Field, 'name' | 'word' | 'kind' | 'means' | 'options'>[];
  readonly values: FormValues;
  readonly what?: string;
  readonly save: (dirty: readonly string[], values: FormValues) => Promise<Answer<unknown>>;
  readonly onSaved: () => void;
}

/** Fields that a browser neither shows nor remembers. */
const secrets: ReadonlySet<string> = new Set(['apiToken', 'password', 'clientSecret', 'webhookSecret', 'privateKey']);
/** Of them, those of several lines. */
const long: ReadonlySet<string> = new Set(['privateKey']);

/** A form of the platform's settings, saved at once. */
export function PlatformForm({ title, means, fields, values, what = 'settings', save, onSaved }: PlatformFormProps) {
  const edited = useEdited(values);
  return (
    <EditForm
      title={title}
      means={means}
      fields={fields}
      edited={edited}
      what={what}
      save={() => save(edited.dirty, edited.values)}
      onSaved={() => {
        const typed = fields.filter(({ name }) => secrets.has(name)).map(({ name }) => name);
        for (const name of typed) edited.set(name, '');
        edited.saved({ ...edited.values, ...Object.fromEntries(typed.map((name) => [name, ''])) });
        onSaved();
      }}
    >
      {fields.map((field) =>
        secrets.has(field.name) ? (
          <SecretField key={field.name} word={field.word} means={field.means ?? ''} name={field.name} edited={edited} />
        ) : (
          <FormField
            key={field.name}
            field={field}
            value={edited.values[field.name] ?? ''}
            onValue={(value) => edited.set(field.name, value)}
          />
        ),
      )}
    </EditForm>
  );
}

interface SecretFieldProps {
  readonly word: string;
  readonly means: string;
  readonly name: string;
  readonly edited: Edited;
}

const SecretField = ({ word, means, name, edited }: SecretFieldProps) => (
  <label class="field">
    {word}
    {long.has(name) ? (
      <textarea
        class="input mono"
        rows={4}
        autocomplete="off"
        spellcheck={false}
        value={edited.values[name] ?? ''}
        onInput={(event) => edited.set(name, event.currentTarget.value)}
      />
    ) : (
      <input
        class="input"
        type="password"
        autocomplete="new-password"
        placeholder="unchanged"
        value={edited.values[name] ?? ''}
        onInput={(event) => edited.set(name, event.currentTarget.value)}
      />
    )}
    {means !== '' && <span class="muted small plain">{means}</span>}
  </label>
);
