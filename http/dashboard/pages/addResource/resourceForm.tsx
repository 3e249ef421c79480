import { Card } from '../../components/card.tsx';
import { Fact } from '../../components/fact.tsx';
import { RefusedForm } from '../../components/form/refusedForm.tsx';
import { TextField } from '../../components/form/textField.tsx';
import { madeWords, type NewResource, type ResourceEntry } from './model.ts';

const fields = [
  { name: 'name', label: 'Name' },
  { name: 'host', label: 'Host' },
  { name: 'port', label: 'Port' },
  { name: 'database', label: 'Database' },
  { name: 'username', label: 'User name' },
  { name: 'passwordSecret', label: 'Secret' },
];

type How = 'draft' | 'deploy';

interface ResourceFormProps {
  readonly entry: ResourceEntry;
  readonly typed: NewResource;
  /** What is being done. */
  readonly busy: How | null;
  readonly problem: string;
  readonly onType: (change: Partial<NewResource>) => void;
  readonly onCreate: (how: How) => void;
}

/** What is made of an entry, and the few fields that it needs. */
export function ResourceForm({ entry, typed, busy, problem, onType, onCreate }: ResourceFormProps) {
  const { makes } = entry;
  const isExternal = makes.is === 'database' && makes.placement === 'External';
  return (
    <Card title={entry.label}>
      <form
        class="card-body form"
        onSubmit={(event) => {
          event.preventDefault();
          onCreate('draft');
        }}
      >
        <RefusedForm fields={fields} text={problem}>
          <TextField
            name="name"
            label="Name"
            value={typed.name}
            placeholder="generated where it is empty"
            onValue={(name) => onType({ name })}
          />
          {isExternal && <ExternalFields typed={typed} onType={onType} />}
        </RefusedForm>
        <dl class="facts facts-plain">
          {madeWords(entry).map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </dl>
        <div class="dialog-end">
          {makes.is === 'logical' ? (
            <button type="submit" class="button button-main" aria-busy={busy !== null}>
              {busy === null ? 'Create logical database' : 'Creating …'}
            </button>
          ) : (
            <>
              <button type="submit" class="button button-main" aria-busy={busy === 'draft'}>
                {busy === 'draft' ? 'Saving …' : 'Save draft'}
              </button>
              <button type="button" class="button" aria-busy={busy === 'deploy'} onClick={() => onCreate('deploy')}>
                {busy === 'deploy' ? 'Deploying …' : 'Deploy'}
              </button>
            </>
          )}
        </div>
      </form>
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
        placeholder="that of the engine"
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
