import type { Read } from '../../../api.ts';
import { api } from '../../api.ts';
import type { Asked } from '../../parts/actionButton.tsx';
import { ResourceHead } from '../../parts/resourceHead.tsx';
import { databaseMachine, storageNotes } from '../../words/database.ts';
import { waits } from '../../words/project.ts';
import { resourceStanding } from '../../words/resource.ts';
import type { DatabaseReading } from './reading.ts';

/** Name, state and actions of a database, and why it is in its state. */
export function DatabaseHead({
  reading: { name, database, explained, reload },
}: {
  readonly reading: DatabaseReading;
}) {
  const explanations = explained.value?.items ?? [];
  return (
    <ResourceHead
      name={name}
      loaded={database}
      explanations={explanations}
      machine={databaseMachine}
      standingOf={(read) => resourceStanding(read, databaseMachine, explanations)}
      notes={database.value ? storageNotes(database.value) : []}
      actionsOf={actionsOf}
      onDone={reload}
    />
  );
}

/** While changes wait, their bar deploys them; a database that has not given up has nothing to retry. */
const actionsOf = ({ resource }: Read): readonly Asked[] => [
  ...(resource.state === 'failed' ? [{ word: 'Retry', path: api.ofDatabase(resource.name, 'retry') }] : []),
  ...(waits(resource) || resource.state === 'deleting'
    ? []
    : [{ word: 'Redeploy', path: api.ofDatabase(resource.name, 'deploy') }]),
];
