import type { Read } from '../../../../api.ts';
import { FieldsForm } from '../../../components/form/fieldsForm.tsx';
import { restartOfService } from '../../../model/restart.ts';
import type { Field } from '../../../model/settingFields.ts';
import { changedBody } from '../../../model/settings.ts';
import { write } from '../../../api.ts';

interface SettingsFormProps {
  readonly title: string;
  readonly help: string;
  /** How many copies run; null while that is not read. */
  readonly copies: number | null;
  readonly fields: readonly Field[];
  readonly read: Read;
  readonly onSaved: () => void;
}

/** Settings of a service that apply at the same time. */
export const SettingsForm = ({ fields, read, copies, ...given }: SettingsFormProps) => (
  <FieldsForm
    {...given}
    fields={fields}
    read={read}
    question={(paths) => restartOfService(read, copies, paths)}
    save={(before, values) =>
      write('PATCH /apps/{app}', { app: read.resource.name }, changedBody(fields, before, values))
    }
  />
);
