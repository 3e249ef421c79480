import { useSignal } from '@preact/signals';
import type { Created } from '../../../api.ts';
import { type ApiResult, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { readsOnly } from '../../components/checkNow.ts';
import { Form, nothingSent } from '../../components/form/form.tsx';
import type { How } from '../../components/form/draftButtons.ts';
import { noRefusal } from '../../components/form/refusal.ts';
import { Frame } from '../../components/frame.tsx';
import { Note } from '../../components/note.tsx';
import { go } from '../../router.ts';
import { addressOf, type Place } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import {
  type CheckedField,
  emptyService,
  fieldProblem,
  type NewService,
  newServiceBody,
  stepProblem,
  withChange,
} from '../../model/newService.ts';
import { SettingsFields } from './settingsFields.tsx';
import { SourceFields } from './sourceFields.tsx';
import { Repository } from './repository.tsx';
import { continueButton, createButtons, WayBack } from './stepButtons.tsx';
import { Summary } from './summary.tsx';

type Step = 1 | 2 | 3;

interface NewServicePageProps extends Place {
  readonly step: Step;
}

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
  const left = useSignal(noRefusal);
  const open = firstOpen(service.value);
  const step: Step = asked < open ? asked : open;

  const show = (to: Step) => go(addressOf.newService(place, to));
  const onChange = (change: Partial<NewService>) => {
    service.value = withChange(service.value, change);
    left.value = noRefusal;
  };
  const onLeave = (field: CheckedField) => {
    const problem = fieldProblem(field, service.value);
    left.value = problem ? { ...problem, isLeft: true } : noRefusal;
  };
  const send = (how: string): Promise<ApiResult<Created | null>> =>
    step === 3
      ? write('POST /apps', {}, newServiceBody(service.value, place, how as How))
      : Promise.resolve(nothingSent);
  const onDone = (created: Created | null) => {
    if (created === null) show(step === 1 ? 2 : 3);
    else go(addressOf.service({ ...place, name: created.name }), 'replace');
  };

  return (
    <Frame title="Create service" place={place}>
      <div class="stack narrow">
        <h1>Create service</h1>
        <Steps step={step} />
        {mayAct() ? (
          <Card label={stepWords[step]} isPadded>
            <Form
              isForgiving
              left={left.value}
              problem={() => (step === 3 ? null : stepProblem(step === 1 ? 'source' : 'settings', service.value))}
              send={(_, how) => send(how)}
              onDone={onDone}
              lead={<WayBack step={step} place={place} onBack={() => show(step === 3 ? 2 : 1)} />}
              buttons={step === 3 ? createButtons : continueButton}
            >
              {step === 1 && <SourceFields service={service.value} onChange={onChange} onLeave={onLeave} />}
              {step === 2 && <SettingsFields service={service.value} onChange={onChange} onLeave={onLeave} />}
              {step === 3 && service.value.source === 'git' && <Repository project={project} service={service.value} />}
              {step === 3 && <Summary service={service.value} place={place} />}
            </Form>
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
