import type { Read } from '../../../api.ts';
import { api } from '../../api.ts';
import type { Asked } from '../../parts/actionButton.tsx';
import { ResourceHead } from '../../parts/resourceHead.tsx';
import { waits } from '../../words/project.ts';
import { mainMachine, standingOf } from '../../words/service.ts';
import type { ServiceReading } from './reading.ts';

/** Name, state and actions of a service, and why it is in its state. */
export function ServiceHead({
  reading: { name, app, explained, status, reload },
}: {
  readonly reading: ServiceReading;
}) {
  const explanations = explained.value?.items ?? [];
  return (
    <ResourceHead
      name={name}
      loaded={app}
      explanations={explanations}
      machine={mainMachine}
      standingOf={(read) => standingOf(read, status.value, explanations)}
      also={status.value?.sleeping === true ? ['asleep'] : []}
      actionsOf={actionsOf}
      onDone={reload}
    />
  );
}

/** While changes wait, their bar deploys them; a service that has not given up has nothing to retry. */
const actionsOf = ({ resource }: Read): readonly Asked[] => [
  ...(resource.state === 'failed' ? [{ word: 'Retry', path: api.ofApp(resource.name, 'retry') }] : []),
  ...(waits(resource) || resource.state === 'deleting'
    ? []
    : [{ word: 'Redeploy', path: api.ofApp(resource.name, 'deploy') }]),
];
