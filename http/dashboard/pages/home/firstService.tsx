import { useSignal } from '@preact/signals';
import type { Created, Summary } from '../../../api.ts';
import { type Answer, act, api } from '../../api.ts';
import { Note } from '../../parts/note.tsx';
import { Sign } from '../../parts/sign.tsx';
import type { Place } from '../../routes.ts';
import { addressOf } from '../../routes.ts';
import { isWebAddress } from '../../parts/serviceTable.tsx';
import {
  firstService,
  type NewService,
  newServiceBody,
  settingsProblem,
  sourceProblem,
} from '../../words/newService.ts';
import { environmentsOf } from '../../words/project.ts';
import { stateWord } from '../../words/state.ts';
import { Text } from '../newService/sourceFields.tsx';
import type { First } from './first.ts';

interface FirstServiceProps {
  readonly projects: readonly Summary[];
  readonly first: First;
}

/** The first environment there is; without a project one is made, with `production`. */
async function placeFor(projects: readonly Summary[]): Promise<Answer<Place>> {
  const [known] = projects.flatMap((project) =>
    environmentsOf(project).map((environment) => ({ project: project.name, environment })),
  );
  if (known) return { is: 'ok', value: known };
  const made = await act<Created>(api.projects);
  if (made.is !== 'ok') return made;
  const { project, environment } = made.value;
  return { is: 'ok', value: { project, environment } };
}

/** Deploys the first service of an installation, and shows how far it is. */
export function FirstService({ projects, first }: FirstServiceProps) {
  const service = useSignal<NewService>(firstService);
  const busy = useSignal(false);
  const failed = useSignal('');
  const onChange = (change: Partial<NewService>) => (service.value = { ...service.value, ...change });
  const deploy = async (event: Event) => {
    event.preventDefault();
    failed.value = sourceProblem(service.value) ?? settingsProblem(service.value) ?? '';
    if (busy.value || failed.value !== '') return;
    busy.value = true;
    const place = await placeFor(projects);
    const answer =
      place.is === 'ok' ? await act<Created>(api.apps, newServiceBody(service.value, place.value, 'deploy')) : place;
    busy.value = false;
    if (answer.is === 'ok') first.onMade(answer.value.name);
    else failed.value = answer.error;
  };
  return (
    <section class="card" aria-label="Deploy your first service">
      <div class="card-head">
        <h2>Deploy your first service</h2>
      </div>
      {first.service ? (
        <Checklist service={first.service} />
      ) : (
        <form class="card-body form narrow" onSubmit={(event) => void deploy(event)}>
          <p>A project with the environment production is made on the way. Everything can be changed later.</p>
          <Text word="Image" value={service.value.image} onValue={(image) => onChange({ image })} />
          <div class="pair">
            <Text word="Name" value={service.value.name} onValue={(name) => onChange({ name })} />
            <Text word="Port it listens on" value={service.value.port} onValue={(port) => onChange({ port })} />
          </div>
          {failed.value !== '' && <Note tone="bad">{failed.value}</Note>}
          <div>
            <button type="submit" class="button button-main" aria-busy={busy.value}>
              {busy.value ? 'Deploying …' : 'Deploy'}
            </button>
          </div>
        </form>
      )}
    </section>
  );
}

function Checklist({ service }: { readonly service: Summary }) {
  const isRunning = service.state === 'ready';
  const steps: readonly (readonly [done: boolean, word: string])[] = [
    [true, 'Saved'],
    [service.state !== 'draft', 'Deployed'],
    [isRunning, isRunning ? 'Running' : stateWord(service.state)],
  ];
  return (
    <div class="card-body stack-tight" role="status">
      <ul class="checklist">
        {steps.map(([done, word]) => (
          <li key={word} data-tone={done ? 'good' : service.state === 'failed' ? 'bad' : 'waiting'}>
            <Sign name={done ? 'check' : service.state === 'failed' ? 'cross' : 'hourglass'} /> {word}
          </li>
        ))}
      </ul>
      {!isRunning && <p>{service.message}</p>}
      <p>
        {isRunning && isWebAddress(service.url) && (
          <>
            Running at <a href={service.url}>{service.url}</a>.{' '}
          </>
        )}
        <a href={addressOf.service(service)}>Open {service.displayName}</a>
      </p>
    </div>
  );
}
