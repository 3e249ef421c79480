import type { Read, StatusItem } from '../../../api.ts';
import { api, change } from '../../api.ts';
import { EditForm } from '../../parts/form/editForm.tsx';
import { FormField } from '../../parts/form/formField.tsx';
import { useEdited } from '../../parts/form/useEdited.ts';
import type { Field } from '../../words/settingFields.ts';
import { changedBody, fieldsProblem, shownFields, valuesOf } from '../../words/settings.ts';

interface SettingsFormProps {
  readonly title: string;
  readonly means: string;
  readonly fields: readonly Field[];
  readonly read: Read;
  readonly onSaved: () => void;
}

/** Settings of a service that apply at the same time. */
export function SettingsForm({ title, means, fields, read, onSaved }: SettingsFormProps) {
  const edited = useEdited(valuesOf(fields, read));
  const { before, values, set } = edited;
  return (
    <EditForm
      title={title}
      means={means}
      fields={fields}
      edited={edited}
      problem={() => fieldsProblem(fields, before, values)}
      save={() => change<StatusItem>(api.app(read.resource.name), changedBody(fields, before, values))}
      onSaved={onSaved}
    >
      {shownFields(fields, values).map((field) => (
        <FormField
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onValue={(value) => set(field.name, value)}
        />
      ))}
    </EditForm>
  );
}
