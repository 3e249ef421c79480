import type { Compliance as Report } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { pathTo, write } from '../../api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Table } from '../../components/table/table.tsx';
import { useServicesOf } from '../../kindPages/lists.ts';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { EditForm } from '../../components/form/editForm.tsx';
import { FormField } from '../../components/form/formField.tsx';
import { useEdited } from '../../components/form/useEdited.ts';
import { Note } from '../../components/note.tsx';
import { Icon } from '../../components/icon.tsx';
import { useLoaded } from '../../store/loaded.ts';
import { mayReadSensitive } from '../../store/session.ts';
import { textsIn } from '../../model/details.ts';
import { wordsIn } from '../../model/form.ts';
import { checkWords, tagFields } from './model.ts';
import { restartElsewhere } from '../../model/restart.ts';
import type { SettingsViewProps } from './view.ts';
import { complianceHelp, onlyAdminsSeeChecks, noResourceText } from './text.ts';

/** The tags that a node needs to run anything of a project, and what stands against them (UI-007). */
export function Compliance({ read, onSaved }: SettingsViewProps) {
  const { name } = read.resource;
  const isShown = mayReadSensitive();
  const report = useLoaded(
    isShown ? pathTo('GET /projects/{project}/compliance', { project: name }) : null,
    ofKinds('CoreProject', 'CoreApp', 'CoreDatabase'),
  );
  const services = useServicesOf(name).value?.items ?? [];
  const edited = useEdited({ tags: textsIn(read.spec['requiredTags']).join(' ') });
  return (
    <div class="stack">
      <div class="narrow">
        <EditForm
          title="Required tags"
          help={complianceHelp}
          fields={tagFields}
          edited={edited}
          what="tags"
          question={() => restartElsewhere(services)}
          save={() =>
            write(
              'POST /projects/{project}/compliance',
              { project: name },
              { requiredTags: wordsIn(edited.values['tags']) },
            )
          }
          onSaved={() => {
            report.reload();
            onSaved();
          }}
        >
          {tagFields.map((field) => (
            <FormField
              key={field.name}
              field={field}
              value={edited.values['tags'] ?? ''}
              onValue={(value) => edited.set('tags', value)}
            />
          ))}
        </EditForm>
      </div>
      {isShown ? (
        <Loaded of={report} height={240}>
          {(value) => (
            <>
              <Checks report={value} />
              <Resources report={value} />
            </>
          )}
        </Loaded>
      ) : (
        <Note tone="idle">{onlyAdminsSeeChecks}</Note>
      )}
    </div>
  );
}

const Ok = ({ is }: { readonly is: boolean }) => (
  <span class="chip" data-tone={is ? 'good' : 'bad'}>
    <Icon name={is ? 'check' : 'cross'} />
    <span>{is ? 'Holds' : 'Fails'}</span>
  </span>
);

const Checks = ({ report: { checks } }: { readonly report: Report }) => (
  <Card title="Checks">
    <Table
      columns={[
        { label: 'Result', cell: ({ ok }) => <Ok is={ok} /> },
        { label: 'Check', cell: ({ check }) => checkWords[check] },
        { label: 'What is wrong', look: 'wrap', cell: ({ message }) => message },
      ]}
      rows={checks}
      keyOf={({ check }) => check}
    />
  </Card>
);

const Resources = ({ report: { resources } }: { readonly report: Report }) => (
  <Card title="What runs where" label="Resources">
    {resources.length === 0 && <Empty title="Nothing runs yet" text={noResourceText} />}
    {resources.length > 0 && (
      <Table
        columns={[
          { label: 'Result', cell: ({ compliant }) => <Ok is={compliant} /> },
          {
            label: 'Name',
            cell: ({ kind, name }) => (
              <>
                {name} <span class="muted small">{kind}</span>
              </>
            ),
          },
          { label: 'Environment', cell: ({ environment }) => environment },
          { label: 'Node', look: 'mono', cell: ({ node }) => (node === '' ? 'does not run' : node) },
          { label: 'What is wrong', look: 'wrap', cell: ({ why }) => why },
        ]}
        rows={resources}
        keyOf={({ kind, name, node }) => `${kind} ${name} ${node}`}
      />
    )}
  </Card>
);
