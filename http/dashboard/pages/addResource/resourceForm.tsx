import type { Created } from '../../../api.ts';
import type { ApiResult } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Fact } from '../../components/fact.tsx';
import { Form } from '../../components/form/form.tsx';
import type { FormButton } from '../../components/form/formButtons.tsx';
import type { How } from '../../components/form/draftButtons.ts';
import { draftButtons } from '../../components/form/draftButtons.ts';
import { TextField } from '../../components/form/textField.tsx';
import { madeWords, type NewResource, type ResourceEntry, resourceProblem } from './model.ts';

const fields = [
  { name: 'name', label: 'Name' },
  { name: 'host', label: 'Host' },
  { name: 'port', label: 'Port' },
  { name: 'database', label: 'Database' },
  { name: 'username', label: 'User name' },
  { name: 'passwordSecret', label: 'Secret' },
];

/** It has no draft. */
const logicalButton = [
  { name: 'draft', label: 'Create logical database', busyLabel: 'Creating', isSubmit: true },
] as const satisfies readonly FormButton[];

interface ResourceFormProps {
  readonly entry: ResourceEntry;
  readonly typed: NewResource;
  readonly onType: (change: Partial<NewResource>) => void;
  readonly create: (entry: ResourceEntry, how: How) => Promise<ApiResult<Created>>;
  readonly onMade: (entry: ResourceEntry, made: Created) => void;
}

/** What is made of an entry, and the few fields that it needs. */
export function ResourceForm({ entry, typed, onType, create, onMade }: ResourceFormProps) {
  const { makes } = entry;
  const isExternal = makes.is === 'database' && makes.placement === 'External';
  return (
    <Card title={entry.label}>
      <Form
        look="card-body form"
        fields={fields}
        problem={() => resourceProblem(typed)}
        send={(_, how) => create(entry, how as How)}
        onDone={(made) => onMade(entry, made)}
        buttons={makes.is === 'logical' ? logicalButton : draftButtons}
      >
        <TextField
          name="name"
          label="Name"
          value={typed.name}
          placeholder="generated when empty"
          onValue={(name) => onType({ name })}
        />
        {isExternal && <ExternalFields typed={typed} onType={onType} />}
        <dl class="facts facts-plain">
          {madeWords(entry).map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </dl>
      </Form>
    </Card>
  );
}

const ExternalFields = ({ typed, onType }: Pick<ResourceFormProps, 'typed' | 'onType'>) => (
  <>
    <div class="pair">
      <TextField
        name="host"
        label="Host"
        value={typed.host}
        placeholder="db.example.com"
        onValue={(host) => onType({ host })}
      />
      <TextField
        name="port"
        label="Port"
        value={typed.port}
        placeholder="the engine's when empty"
        onValue={(port) => onType({ port })}
      />
    </div>
    <div class="pair">
      <TextField name="database" label="Database" value={typed.database} onValue={(database) => onType({ database })} />
      <TextField
        name="username"
        label="User name"
        value={typed.username}
        onValue={(username) => onType({ username })}
      />
    </div>
    <TextField
      name="passwordSecret"
      label="Secret with the password, in core-system"
      value={typed.passwordSecret}
      placeholder="its key is password"
      onValue={(passwordSecret) => onType({ passwordSecret })}
    />
  </>
);
