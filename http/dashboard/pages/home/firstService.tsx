import { useSignal } from '@preact/signals';
import type { Created, Summary } from '../../../api.ts';
import { type ApiResult, pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Form } from '../../components/form/form.tsx';
import { submitButton } from '../../components/form/formButtons.tsx';
import { Note } from '../../components/note.tsx';
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
import { noRefusal } from '../../components/form/refusal.ts';
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

/** The first environment there is; without a project one is made, with `production`. */
async function placeFor(projects: readonly Summary[]): Promise<ApiResult<Place>> {
  const [known] = projects.flatMap((project) =>
    environmentsOf(project).map((environment) => ({ project: project.name, environment })),
  );
  if (known) return { is: 'ok', value: known };
  const made = await write('POST /projects', {});
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
  return write('POST /apps', {}, newServiceBody(service, place.value, 'deploy'));
}

/** Deploys the first service of an installation, and shows how far it is. */
export function FirstService({ projects, first }: FirstServiceProps) {
  const platform = useLoaded(pathTo('GET /platform', {}), never).value;
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
  const left = useSignal(noRefusal);
  const onChange = (change: Partial<NewService>) => {
    service.value = withChange(service.value, change);
    left.value = noRefusal;
  };
  const onLeave = (field: CheckedField) => {
    const problem = fieldProblem(field, service.value);
    left.value = problem ? { ...problem, isLeft: true } : noRefusal;
  };
  return (
    <Form
      look="form narrow"
      isForgiving
      left={left.value}
      problem={() => stepProblem('source', service.value) ?? stepProblem('settings', service.value)}
      send={() => make(service.value, projects)}
      onDone={(made) => onMade(made.name)}
      buttons={submitButton('Deploy', 'Deploying')}
      end="left"
    >
      <p>
        {projects.length === 0 && 'A project with a production environment is created first. '}
        Everything can be changed later.
      </p>
      <SourceFields service={service.value} onChange={onChange} onLeave={onLeave} offered={['image', 'git']} />
      {service.value.source === 'git' && service.value.repository !== '' && (
        <PushAddress gitHost={gitHost} repository={service.value.repository} branch={service.value.branch} />
      )}
      <SettingsFields service={service.value} onChange={onChange} onLeave={onLeave} />
    </Form>
  );
}
