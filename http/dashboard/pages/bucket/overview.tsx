import { systemNamespace } from '../../../../crds/names.ts';
import type { Read } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { BucketFacts } from '../../kindPages/objectStore/bucketFacts.tsx';
import { useDependents } from '../../kindPages/dependents.ts';
import { Attempts } from '../../components/attempts.tsx';
import { Command } from '../../components/copy.tsx';
import { attemptsOf } from '../../model/attempts.ts';
import { programName } from '../../model/command.ts';
import { isServer, usersOfStore } from '../../model/objectStore.ts';
import { noBucketOnServer, notUsed } from './text.ts';

/** What a bucket is, what uses it, and its attempts. */
export const BucketOverview = ({ read }: { readonly read: Read }) => (
  <div class="columns">
    <div class="stack">
      <BucketFacts store={read} />
      <UsedBy read={read} />
    </div>
    <div class="stack">
      <Attempts attempts={attemptsOf(read.status)} />
      <Command
        what="the command that shows the same"
        text={`${programName} stores get ${read.resource.name}`}
        kubectl={`kubectl get coreobjectstore ${read.resource.name} -n ${systemNamespace} -o yaml`}
      />
    </div>
  </div>
);

function UsedBy({ read }: { readonly read: Read }) {
  const users = usersOfStore(useDependents(read.resource) ?? []);
  return (
    <Card title="Used by">
      <div class="card-body">
        {users.length === 0 ? (
          <p class="muted">{isServer(read.resource) ? noBucketOnServer : notUsed}</p>
        ) : (
          <ul>
            {users.map((user) => (
              <li key={user}>{user}</li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
