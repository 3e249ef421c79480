import { useProjects } from '../../kindPages/lists.ts';
import { EditForm } from '../../components/form/editForm.tsx';
import { FormField } from '../../components/form/formField.tsx';
import { useEdited } from '../../components/form/useEdited.ts';
import { mayAct } from '../../store/session.ts';
import { conditionsIn } from '../../model/conditions.ts';
import { allowable, networkBody, networkFields, networkShown, networkValues } from './model.ts';
import { wordsIn } from '../../model/form.ts';
import type { SettingsViewProps } from './view.ts';
import { write } from '../../api.ts';
import { networkHelp } from './text.ts';

/** Who may reach the services of a project (UI-006). */
export function Network({ read, onSaved }: SettingsViewProps) {
  const { name } = read.resource;
  const edited = useEdited(networkValues(read));
  const { values, set } = edited;
  return (
    <div class="stack narrow">
      <EditForm
        title="Network"
        help={networkHelp}
        fields={networkFields}
        edited={edited}
        save={() => write('PATCH /projects/{project}', { project: name }, networkBody(values))}
        onSaved={onSaved}
        answer={conditionsIn(read)}
      >
        {networkShown(values).map((field) =>
          field.name === 'allowed' ? (
            <AllowedProjects
              key={field.name}
              own={name}
              chosen={wordsIn(values['allowed'])}
              onChosen={(chosen) => set('allowed', chosen.join(' '))}
            />
          ) : (
            <FormField
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              onValue={(value) => set(field.name, value)}
            />
          ),
        )}
      </EditForm>
    </div>
  );
}

interface AllowedProjectsProps {
  readonly own: string;
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
}

function AllowedProjects({ own, chosen, onChosen }: AllowedProjectsProps) {
  const projects = useProjects().value?.items ?? [];
  const offered = allowable(own, chosen, projects);
  if (!mayAct())
    return (
      <div class="field">
        Allowed projects
        <span class="plain wrap">
          {offered
            .filter(({ id }) => chosen.includes(id))
            .map(({ label }) => label)
            .join(', ') || 'none'}
        </span>
      </div>
    );
  return (
    <fieldset class="choices">
      <legend>Allowed projects</legend>
      {offered.length === 0 && <p class="muted">No other project.</p>}
      <div class="choices-scroll">
        {offered.map(({ id, label }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={(event) =>
                onChosen(event.currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
              }
            />
            {label} <span class="muted small mono">{id}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
