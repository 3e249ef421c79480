import { pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { useServicesOf } from '../../kindPages/lists.ts';
import { Fact } from '../../components/fact.tsx';
import { EditForm } from '../../components/form/editForm.tsx';
import { FormField } from '../../components/form/formField.tsx';
import { useEdited } from '../../components/form/useEdited.ts';
import { useLoaded } from '../../store/loaded.ts';
import { mayAct } from '../../store/session.ts';
import { conditionsIn } from '../../model/conditions.ts';
import { detailOf } from '../../model/details.ts';
import { effectiveRegion } from '../../model/project.ts';
import { generalBody, generalFields, generalValues } from './model.ts';
import { restartElsewhere } from '../../model/restart.ts';
import type { SettingsViewProps } from './view.ts';

/** The name and the region of a project, and what never changes of it (UI-003, PRJ-011). */
export function General({ read, onSaved }: SettingsViewProps) {
  const { resource } = read;
  const edited = useEdited(generalValues(read));
  const { dirty, values, set } = edited;
  const clusters = useLoaded(mayAct() ? pathTo('GET /clusters', {}) : null, ofKinds('CoreCluster')).value?.items ?? [];
  const moves = () =>
    effectiveRegion(resource, clusters) !== effectiveRegion(resource, clusters, values['region']?.trim());
  const services = useServicesOf(resource.name).value?.items ?? [];
  return (
    <div class="stack narrow">
      <EditForm
        title="General"
        help="Applies at once."
        fields={generalFields}
        edited={edited}
        question={() => (moves() ? restartElsewhere(services) : null)}
        save={() => write('PATCH /projects/{project}', { project: resource.name }, generalBody(dirty, values))}
        onSaved={onSaved}
        answer={conditionsIn(read)}
      >
        {generalFields.map((field) => (
          <FormField
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onValue={(value) => set(field.name, value)}
          />
        ))}
      </EditForm>
      <Card title="Never changes">
        <dl class="facts facts-panel">
          <Fact name="ID">
            <span class="mono">{resource.name}</span>
          </Fact>
          <Fact name="Cluster">{detailOf(resource, 'cluster')}</Fact>
        </dl>
      </Card>
    </div>
  );
}
