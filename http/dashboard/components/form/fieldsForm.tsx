import type { Read } from '../../../api.ts';
import type { ApiResult } from '../../api.ts';
import type { Question } from '../../model/restart.ts';
import type { Field } from '../../model/settingFields.ts';
import { fieldsProblem, shownFields, valuesOf } from '../../model/settings.ts';
import { EditForm } from './editForm.tsx';
import { FormField } from './formField.tsx';
import { conditionsIn } from '../../model/conditions.ts';
import { useEdited } from './useEdited.ts';

type Values = ReturnType<typeof valuesOf>;

interface FieldsFormProps {
  readonly title: string;
  readonly help: string;
  readonly fields: readonly Field[];
  readonly read: Read;
  /** What is asked before a change at these paths is saved. */
  readonly question?: (paths: readonly string[]) => Question | null;
  readonly save: (before: Values, values: Values) => Promise<ApiResult<unknown>>;
  readonly onSaved: () => void;
}

/** Settings of a resource that apply at the same time. */
export function FieldsForm({ title, help, fields, read, question, save, onSaved }: FieldsFormProps) {
  const edited = useEdited(valuesOf(fields, read));
  const { before, values, dirty, set } = edited;
  const changed = () => fields.filter(({ name }) => dirty.includes(name)).map(({ path }) => path);
  return (
    <EditForm
      title={title}
      help={help}
      fields={fields}
      edited={edited}
      problem={() => fieldsProblem(fields, before, values)}
      question={() => question?.(changed()) ?? null}
      save={() => save(before, values)}
      onSaved={onSaved}
      answer={conditionsIn(read)}
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
