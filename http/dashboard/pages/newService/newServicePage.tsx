import { useSignal } from '@preact/signals';
import type { Created } from '../../../api.ts';
import { act, api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { readsOnly } from '../../components/checkNow.ts';
import { FormRefusal } from '../../components/form/refusal.ts';
import { Frame } from '../../components/frame.tsx';
import { Note } from '../../components/note.tsx';
import { Refused } from '../../components/refused.tsx';
import { go } from '../../router.ts';
import { addressOf, type Place } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import {
  type CheckedField,
  emptyService,
  fieldProblem,
  type FieldProblem,
  type NewService,
  newServiceBody,
  stepProblem,
  withChange,
} from '../../model/newService.ts';
import { SettingsFields } from './settingsFields.tsx';
import { SourceFields } from './sourceFields.tsx';
import { Repository } from './repository.tsx';
import { StepButtons } from './stepButtons.tsx';
import { Summary } from './summary.tsx';

type Step = 1 | 2 | 3;

interface NewServicePageProps extends Place {
  readonly step: Step;
}

const nothing = { field: '', text: '' };

const stepWords = { 1: 'Source', 2: 'Settings', 3: 'Summary' } as const;

/** The first step whose fields are not filled in. */
const firstOpen = (service: NewService): Step => {
  if (stepProblem('source', service) !== null) return 1;
  return stepProblem('settings', service) === null ? 3 : 2;
};

/** Creates a service in three steps; a refusal of the server stays on the last one, with all that was filled in. */
export function NewServicePage({ project, environment, step: asked }: NewServicePageProps) {
  const place = { project, environment };
  const service = useSignal<NewService>(emptyService);
  const problem = useSignal<(FieldProblem & { readonly isLeft?: boolean }) | null>(null);
  const refused = useSignal('');
  const busy = useSignal<'draft' | 'deploy' | null>(null);
  const open = firstOpen(service.value);
  const step: Step = asked < open ? asked : open;

  const show = (to: Step) => go(addressOf.newService(place, to));
  const onChange = (change: Partial<NewService>) => {
    service.value = withChange(service.value, change);
    problem.value = null;
    refused.value = '';
  };
  const onLeave = (field: CheckedField) => {
    const found = fieldProblem(field, service.value);
    problem.value = found && { ...found, isLeft: true };
  };
  const create = async (how: 'draft' | 'deploy') => {
    if (busy.value !== null) return;
    busy.value = how;
    const answer = await act<Created>(api.apps, newServiceBody(service.value, place, how));
    busy.value = null;
    if (answer.is === 'ok') go(addressOf.service({ ...place, name: answer.value.name }), 'replace');
    else refused.value = answer.error;
  };
  const next = (event: Event) => {
    event.preventDefault();
    const found = stepProblem(step === 1 ? 'source' : 'settings', service.value);
    problem.value = found;
    if (found === null) show(step === 1 ? 2 : 3);
  };

  return (
    <Frame title="Create service" place={place}>
      <div class="stack narrow">
        <h1>Create service</h1>
        <Steps step={step} />
        {mayAct() ? (
          <Card label={stepWords[step]} isPadded>
            <form class="form" onSubmit={next}>
              <FormRefusal.Provider value={problem.value ?? nothing}>
                {step === 1 && <SourceFields service={service.value} onChange={onChange} onLeave={onLeave} />}
                {step === 2 && <SettingsFields service={service.value} onChange={onChange} onLeave={onLeave} />}
              </FormRefusal.Provider>
              {step === 3 && service.value.source === 'git' && <Repository project={project} service={service.value} />}
              {step === 3 && <Summary service={service.value} place={place} />}
              <Refused text={refused.value} />
              <StepButtons
                step={step}
                place={place}
                busy={busy.value}
                onBack={() => show(step === 3 ? 2 : 1)}
                onCreate={(how) => void create(how)}
              />
            </form>
          </Card>
        ) : (
          <Note tone="idle">{readsOnly} Only admins can create services.</Note>
        )}
      </div>
    </Frame>
  );
}

const Steps = ({ step }: { readonly step: Step }) => (
  <ol class="steps" aria-label="Steps">
    {([1, 2, 3] as const).map((number) => (
      <li key={number} aria-current={number === step ? 'step' : undefined}>
        {number}. {stepWords[number]}
      </li>
    ))}
  </ol>
);
