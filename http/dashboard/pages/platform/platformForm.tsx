import type { ComponentProps } from 'preact';
import type { ApiResult } from '../../api.ts';
import { EditForm } from '../../components/form/editForm.tsx';
import { FormField } from '../../components/form/formField.tsx';
import { useEdited } from '../../components/form/useEdited.ts';
import type { FormValues } from '../../model/form.ts';
import type { Question } from '../../model/restart.ts';
import type { PlatformField } from './model.ts';

interface PlatformFormProps extends Pick<
  ComponentProps<typeof EditForm>,
  'title' | 'help' | 'what' | 'verb' | 'empties' | 'answer'
> {
  readonly fields: readonly PlatformField[];
  readonly values: FormValues;
  /** Whether the secrets among the fields are stored. */
  readonly isStored?: boolean;
  /** What is asked before these fields are saved; null where nothing restarts. */
  readonly question?: (dirty: readonly string[]) => Question | null;
  readonly save: (dirty: readonly string[], values: FormValues) => Promise<ApiResult<unknown>>;
  readonly onSaved: () => void;
}

/** A form of the platform's settings, saved at once. */
export function PlatformForm({
  fields,
  values,
  isStored = false,
  question,
  save,
  onSaved,
  ...given
}: PlatformFormProps) {
  const edited = useEdited(values);
  return (
    <EditForm
      {...given}
      fields={fields}
      edited={edited}
      question={() => question?.(edited.dirty) ?? null}
      save={() => save(edited.dirty, edited.values)}
      onSaved={onSaved}
    >
      {fields.map((field) => (
        <FormField
          key={field.name}
          field={field}
          value={edited.values[field.name] ?? ''}
          isStored={isStored}
          onValue={(value) => edited.set(field.name, value)}
        />
      ))}
    </EditForm>
  );
}
