import { useSignal } from '@preact/signals';
import type { Created, Platform, Summary } from '../../../api.ts';
import { type ApiResult, act, api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Note } from '../../components/note.tsx';
import { Refused } from '../../components/refused.tsx';
import type { Place } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import {
  type CheckedField,
  fieldProblem,
  firstService,
  type NewService,
  newServiceBody,
  stepProblem,
  withChange,
} from '../../model/newService.ts';
import { environmentsOf } from '../../model/project.ts';
import { linkFor } from '../newService/link.ts';
import { FormRefusal } from '../../components/form/refusal.ts';
import { SettingsFields } from '../newService/settingsFields.tsx';
import { SourceFields } from '../newService/sourceFields.tsx';
import { Checklist } from './checklist.tsx';
import type { First } from './first.ts';
import { PushAddress } from '../../components/pushAddress.tsx';

interface FirstServiceProps {
  readonly projects: readonly Summary[];
  readonly first: First;
}

const never = () => false;
const nothing = { field: '', text: '' };

/** The first environment there is; without a project one is made, with `production`. */
async function placeFor(projects: readonly Summary[]): Promise<ApiResult<Place>> {
  const [known] = projects.flatMap((project) =>
    environmentsOf(project).map((environment) => ({ project: project.name, environment })),
  );
  if (known) return { is: 'ok', value: known };
  const made = await act<Created>(api.projects);
  if (made.is !== 'ok') return made;
  const { project, environment } = made.value;
  return { is: 'ok', value: { project, environment } };
}

/** Makes what a service needs on the way: a project, and for a repository its link to the Git host. */
async function make(service: NewService, projects: readonly Summary[]): Promise<ApiResult<Created>> {
  const place = await placeFor(projects);
  if (place.is !== 'ok') return place;
  const linked = service.source === 'git' ? await linkFor(place.value.project, service.repository) : null;
  if (linked && linked.is !== 'ok') return linked;
  return act<Created>(api.apps, newServiceBody(service, place.value, 'deploy'));
}

/** Deploys the first service of an installation, and shows how far it is. */
export function FirstService({ projects, first }: FirstServiceProps) {
  const platform = useLoaded<Platform>(api.platform, never).value;
  return (
    <Card title="Deploy your first service">
      <div class="card-body stack-tight">
        {platform?.simulatedNodes && (
          <Note tone="idle">
            The nodes of this installation are simulated: a service is reported as running, but nothing listens.
          </Note>
        )}
        {first.service ? (
          <Checklist service={first.service} gitHost={platform?.gitHost ?? ''} />
        ) : (
          <FirstForm projects={projects} gitHost={platform?.gitHost ?? ''} onMade={first.onMade} />
        )}
      </div>
    </Card>
  );
}

interface FirstFormProps {
  readonly projects: readonly Summary[];
  readonly gitHost: string;
  readonly onMade: First['onMade'];
}

function FirstForm({ projects, gitHost, onMade }: FirstFormProps) {
  const service = useSignal<NewService>(firstService);
  const busy = useSignal(false);
  const failed = useSignal<{ readonly field: string; readonly text: string; readonly isLeft?: boolean }>(nothing);
  const onChange = (change: Partial<NewService>) => {
    service.value = withChange(service.value, change);
    failed.value = nothing;
  };
  const onLeave = (field: CheckedField) => {
    const found = fieldProblem(field, service.value);
    failed.value = found ? { ...found, isLeft: true } : nothing;
  };
  const deploy = async (event: Event) => {
    event.preventDefault();
    failed.value = stepProblem('source', service.value) ?? stepProblem('settings', service.value) ?? nothing;
    if (busy.value || failed.value.text !== '') return;
    busy.value = true;
    const answer = await make(service.value, projects);
    busy.value = false;
    if (answer.is === 'ok') onMade(answer.value.name);
    else failed.value = { field: '', text: answer.error };
  };
  return (
    <form class="form narrow" onSubmit={(event) => void deploy(event)}>
      <p>
        {projects.length === 0 && 'A project with the environment production is made on the way. '}
        Everything can be changed later.
      </p>
      <FormRefusal.Provider value={failed.value}>
        <SourceFields service={service.value} onChange={onChange} onLeave={onLeave} offered={['image', 'git']} />
        {service.value.source === 'git' && service.value.repository !== '' && (
          <PushAddress gitHost={gitHost} repository={service.value.repository} branch={service.value.branch} />
        )}
        <SettingsFields service={service.value} onChange={onChange} onLeave={onLeave} />
      </FormRefusal.Provider>
      {failed.value.field === '' && <Refused text={failed.value.text} />}
      <div>
        <button type="submit" class="button button-main" aria-busy={busy.value}>
          {busy.value ? 'Deploying …' : 'Deploy'}
        </button>
      </div>
    </form>
  );
}
