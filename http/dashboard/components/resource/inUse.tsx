import { addressOf } from '../../routes.ts';
import type { OnServer } from '../../model/deletion.ts';
import { Card } from '../card.tsx';

interface InUseProps {
  /** What is offered once nothing is on the server. */
  readonly offered: string;
  readonly users: readonly OnServer[];
}

/** Names what is on a server, which keeps the server from being taken away. */
export const InUse = ({ offered, users }: InUseProps) => (
  <Card title="In use">
    <div class="card-body stack-tight">
      <p>It can be {offered} once nothing is on it:</p>
      <ul>
        {users.map((user) => (
          <li key={`${user.kind} ${user.name}`}>
            <a href={addressOf.resource(user)}>{user.name}</a>{' '}
            <span class="muted small">
              {user.project} / {user.environment}
            </span>
          </li>
        ))}
      </ul>
    </div>
  </Card>
);
