import { systemNamespace } from '../../../../crds/names.ts';
import type { StreamEvent, UserItem } from '../../../api.ts';
import { pathTo } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Command } from '../../components/copy.tsx';
import { Frame } from '../../components/frame.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Icon } from '../../components/icon.tsx';
import { Table } from '../../components/table/table.tsx';
import { useLoaded } from '../../store/loaded.ts';
import { identity } from '../../store/session.ts';
import { authSecretName, roleMeans, userCommands } from './text.ts';
import { SettingsTabs } from '../../components/settings/settingsTabs.tsx';

/** Users have no events of their own, so every tick reloads them. */
const isTick = (event: StreamEvent): boolean => event.event === 'tick';

/** Settings, Users: who may sign in. The Secret that holds them is written with kubectl alone. */
export function UsersPage() {
  const loaded = useLoaded(pathTo('GET /users', {}), isTick);
  return (
    <Frame title="Users">
      <div class="stack">
        <div>
          <h1>Users</h1>
          <p class="muted">
            Who signs in to the dashboard. The users stand in the Secret{' '}
            <code>
              {systemNamespace}/{authSecretName}
            </code>
            , which kubectl edits; a change counts at once.
          </p>
        </div>
        <SettingsTabs current="users" />
        <Loaded of={loaded} height={160}>
          {(value) => <Users users={value.items} />}
        </Loaded>
        <Commands />
      </div>
    </Frame>
  );
}

const Users = ({ users }: { readonly users: readonly UserItem[] }) => (
  <Table
    columns={[
      {
        label: 'Name',
        isRowHeading: true,
        cell: ({ name }) => (
          <>
            {name}
            {name === identity()?.username && <span class="flag flag-idle">you</span>}
          </>
        ),
      },
      { label: 'Role', cell: ({ role }) => role },
      { label: 'What the role may', look: 'muted', cell: ({ role }) => roleMeans(role) },
      {
        label: 'Sign-in',
        cell: ({ usable, problem }) => (
          <>
            <span class="chip" data-tone={usable ? 'good' : 'bad'}>
              <Icon name={usable ? 'check' : 'cross'} />
              <span>{usable ? 'Possible' : 'Not possible'}</span>
            </span>
            {problem !== '' && <div class="small muted wrap">{problem}</div>}
          </>
        ),
      },
    ]}
    rows={users}
    keyOf={({ name }) => name}
    label="Users"
    isCard
  />
);

const Commands = () => (
  <Card
    title="Change users"
    actions={<span class="muted small">a password is replaced by its hash as soon as it is read</span>}
  >
    <div class="card-body stack-tight">
      {userCommands(systemNamespace, authSecretName).map(({ label, command }) => (
        <div key={label}>
          <h3>{label}</h3>
          <Command what={`the command: ${label}`} text={command} />
        </div>
      ))}
    </div>
  </Card>
);
