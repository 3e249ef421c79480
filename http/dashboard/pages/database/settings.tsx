import type { Read } from '../../../api.ts';
import { readsOnly } from '../../components/checkNow.ts';
import { Fact } from '../../components/fact.tsx';
import { FieldsForm } from '../../components/form/fieldsForm.tsx';
import { Frozen } from '../../components/resource/frozen.tsx';
import { useProjects } from '../../kindPages/lists.ts';
import { mayAct } from '../../store/session.ts';
import { databaseAtOnce, databaseBody, databaseOnDeploy, frozenOf, isShared } from '../../model/databaseSettings.ts';
import { appliesWord, atOnceWord, settingsTitle } from '../../model/gate.ts';
import { projectWord } from '../../model/project.ts';
import { restartOfDatabase } from '../../model/restart.ts';
import type { Field } from '../../model/settingFields.ts';
import { DangerZone } from './dangerZone.tsx';
import { write } from '../../api.ts';

interface DatabaseSettingsProps {
  readonly read: Read;
  readonly onSaved: () => void;
}

/** The settings of a database by when they apply, what never changes and why, and its end. */
export function DatabaseSettings({ read, onSaved }: DatabaseSettingsProps) {
  const atOnce = databaseAtOnce(read);
  return (
    <>
      {!mayAct() && <p class="muted">{readsOnly}</p>}
      <div class="halves">
        <Form
          title={settingsTitle(read.resource)}
          help={appliesWord(read.resource)}
          fields={databaseOnDeploy(read)}
          read={read}
          onSaved={onSaved}
        />
        <div class="stack">
          {atOnce.length > 0 && (
            <Form title="Backups" help={atOnceWord(read.resource)} fields={atOnce} read={read} onSaved={onSaved} />
          )}
          <NeverChanges read={read} />
        </div>
      </div>
      {mayAct() && <DangerZone read={read} onDone={onSaved} />}
    </>
  );
}

interface FormProps extends DatabaseSettingsProps {
  readonly title: string;
  readonly help: string;
  readonly fields: readonly Field[];
}

const Form = ({ fields, read, ...given }: FormProps) => (
  <FieldsForm
    {...given}
    fields={fields}
    read={read}
    question={(paths) => restartOfDatabase(read, paths)}
    save={(before, values) =>
      write('PATCH /databases/{database}', { database: read.resource.name }, databaseBody(fields, before, values))
    }
  />
);

function NeverChanges({ read }: { readonly read: Read }) {
  const projects = useProjects().value?.items;
  const { name, project, environment } = read.resource;
  return (
    <Frozen name={name} facts={frozenOf(read)}>
      <Fact name="Place">
        {isShared(read) ? 'shared server of the cluster' : `${projectWord(project, projects)} / ${environment}`}
      </Fact>
    </Frozen>
  );
}
