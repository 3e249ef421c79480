import type { PullRequestItem, Read } from '../../../../api.ts';
import { pathTo, write } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Table } from '../../../components/table/table.tsx';
import { ofProject } from '../../../kindPages/service/concerns.ts';
import { Empty } from '../../../components/empty.tsx';
import { EditForm } from '../../../components/form/editForm.tsx';
import { FormField } from '../../../components/form/formField.tsx';
import { useEdited } from '../../../components/form/useEdited.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Icon } from '../../../components/icon.tsx';
import { StateChip } from '../../../components/stateChip.tsx';
import { Ago } from '../../../components/times.tsx';
import { addressOf } from '../../../routes.ts';
import { useLoaded } from '../../../store/loaded.ts';
import { mayReadSensitive } from '../../../store/session.ts';
import { preconditionsOf, prEnvironmentBody, prEnvironmentFields, prEnvironmentValues, capacityText } from './model.ts';
import type { SettingsViewProps } from '../view.ts';
import { noEnvironmentText, environmentsHelp } from './text.ts';

/** The environments of pull requests: which are open, why one may be missing, and what they copy (UI-008). */
export function PullRequests({ read, onSaved }: SettingsViewProps) {
  const { name: project } = read.resource;
  const loaded = useLoaded(pathTo('GET /projects/{project}/pull-requests', { project: project }), ofProject(project));
  const { value } = loaded;
  const stored = prEnvironmentValues(read);
  const fields = prEnvironmentFields(read);
  const edited = useEdited(stored);
  const { values, set } = edited;
  return (
    <div class="stack">
      <Card
        title="Pull requests"
        actions={<span class="muted small">{value && capacityText(value.items, stored)}</span>}
      >
        <div class="card-body form">
          <Loaded
            of={loaded}
            height={80}
            empty={<Empty title="No pull request has an environment" text={noEnvironmentText} />}
          >
            {(value) => <Open project={project} items={value.items} />}
          </Loaded>
          {mayReadSensitive() && <Preconditions read={read} />}
        </div>
      </Card>
      <EditForm
        title="Environments of pull requests"
        help={environmentsHelp}
        fields={fields}
        edited={edited}
        save={() => write('POST /projects/{project}/pr-environments/save', { project }, prEnvironmentBody(values))}
        onSaved={onSaved}
      >
        {fields.map((field) => (
          <FormField
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onValue={(text) => set(field.name, text)}
          />
        ))}
      </EditForm>
    </div>
  );
}

const Preconditions = ({ read }: { readonly read: Read }) => (
  <ul class="plain" aria-label="What a pull request needs">
    {preconditionsOf(read).map(({ label, holds }) => (
      <li key={label}>
        <Icon name={holds ? 'check' : 'cross'} /> {label}
        {!holds && <span class="unseen"> (not so)</span>}
      </li>
    ))}
  </ul>
);

interface OpenProps {
  readonly project: string;
  readonly items: readonly PullRequestItem[];
}

const Open = ({ project, items }: OpenProps) => (
  <Table
    columns={[
      {
        label: 'Pull request',
        isRowHeading: true,
        cell: (one) => (
          <>
            {one.url === '' ? `#${one.number}` : <a href={one.url}>{`${one.repository} #${one.number}`}</a>}
            <div class="small muted mono">
              {one.branch} → {one.targetBranch}
            </div>
          </>
        ),
      },
      {
        label: 'Environment',
        look: 'mono',
        cell: (one) => <a href={addressOf.project({ project, environment: one.environment })}>{one.environment}</a>,
      },
      {
        label: 'State',
        cell: (one) => (
          <a href={addressOf.instance('pullRequestEnvironment', `coreprojects:${project}:${one.environment}`)}>
            <StateChip state={one.state} shown={one.state} />
          </a>
        ),
      },
      {
        label: 'Opened',
        look: 'nowrap',
        cell: (one) => (one.openedAt === null ? 'not yet' : <Ago at={one.openedAt} />),
      },
    ]}
    rows={items}
    keyOf={(one) => one.environment}
    look="stacked"
  />
);
