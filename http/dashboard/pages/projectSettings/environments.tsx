import { useSignal } from '@preact/signals';
import type { Summary } from '../../../api.ts';
import { pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Form } from '../../components/form/form.tsx';
import { submitButton } from '../../components/form/formButtons.tsx';
import { useSaved } from '../../components/form/useSaved.ts';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { useDatabasesOf, useServicesOf } from '../../kindPages/lists.ts';
import { DeleteDialog } from '../../components/deleteDialog.tsx';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { mayAct } from '../../store/session.ts';
import { environmentGoes, keepsOne, stays } from './text.ts';
import { textsIn } from '../../model/details.ts';
import { plural } from '../../model/plural.ts';
import { environmentsOf } from '../../model/project.ts';
import type { SettingsViewProps } from './view.ts';

/** The environments of a project: one more, or one less (UI-004). */
export function Environments({ read, onSaved }: SettingsViewProps) {
  const { name: project, details } = read.resource;
  const services = useServicesOf(project).value?.items ?? [];
  const environments = environmentsOf(read.resource);
  const deleting = textsIn(details['deleting']);
  return (
    <div class="stack narrow">
      <Card title="Environments" actions={<span class="muted small">each is a namespace of its own</span>}>
        <ul>
          {environments.map((environment) => (
            <Environment
              key={environment}
              project={project}
              environment={environment}
              services={services.filter((one) => one.environment === environment)}
              isDeleting={deleting.includes(environment)}
              isLast={environments.filter((one) => !deleting.includes(one)).length === 1}
              onSaved={onSaved}
            />
          ))}
        </ul>
      </Card>
      {mayAct() && <NewEnvironment project={project} onSaved={onSaved} />}
    </div>
  );
}

interface EnvironmentProps {
  readonly project: string;
  readonly environment: string;
  readonly services: readonly Summary[];
  readonly isDeleting: boolean;
  readonly isLast: boolean;
  readonly onSaved: () => void;
}

function Environment({ project, environment, services, isDeleting, isLast, onSaved }: EnvironmentProps) {
  const isOpen = useSignal(false);
  return (
    <li class="line">
      <a class="strong" href={addressOf.project({ project, environment })}>
        {environment}
      </a>
      <span class="muted small mono">
        {project}-{environment}
      </span>
      <span class="muted small line-text">
        {isDeleting ? `being deleted, ${plural(services.length, 'service')} left` : plural(services.length, 'service')}
      </span>
      {mayAct() && isLast && !isDeleting && <span class="muted small">{keepsOne}</span>}
      {mayAct() && !isLast && !isDeleting && (
        <button
          type="button"
          class="button button-small button-bad"
          aria-haspopup="dialog"
          onClick={() => (isOpen.value = true)}
        >
          Delete {environment}
        </button>
      )}
      {isOpen.value && (
        <DeleteEnvironment
          project={project}
          environment={environment}
          services={services}
          onDone={() => {
            isOpen.value = false;
            onSaved();
          }}
          onClose={() => (isOpen.value = false)}
        />
      )}
    </li>
  );
}

interface DeleteEnvironmentProps extends Pick<EnvironmentProps, 'project' | 'environment' | 'services'> {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeleteEnvironment({ project, environment, services, onDone, onClose }: DeleteEnvironmentProps) {
  const variables = useLoaded(
    pathTo('GET /projects/{project}/variables', { project: project }),
    ofKinds('CoreProject'),
  );
  const databases = useDatabasesOf(project);
  const held = {
    services,
    databases: (databases.value?.items ?? []).filter((one) => one.environment === environment),
    variables: (variables.value?.items ?? []).filter((one) => one.environment === environment),
  };
  return (
    <DeleteDialog
      name={environment}
      goes={environmentGoes(`${project}-${environment}`, held)}
      stays={stays}
      act={() =>
        write(
          'DELETE /projects/{project}/environments/{environment}',
          { project, environment },
          { confirmName: environment },
        )
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}

function NewEnvironment({ project, onSaved }: { readonly project: string; readonly onSaved: () => void }) {
  const name = useSignal('');
  const saving = useSaved(undefined, 'Added');
  return (
    <Card label="One more environment">
      <Form
        look="card-body form"
        isForgiving
        send={() => write('POST /projects/{project}/environments', { project }, { name: name.value.trim() })}
        onDone={() => {
          name.value = '';
          onSaved();
        }}
        buttons={submitButton('Add environment', 'Adding', { isDisabled: name.value.trim() === '' })}
        saving={saving}
      >
        <label class="field">
          New environment
          <input
            class="input"
            value={name.value}
            placeholder="staging"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
        </label>
      </Form>
    </Card>
  );
}
