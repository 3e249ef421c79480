import { isDraft } from '../../model/gate.ts';
import { ChangesBar } from '../changesBar.tsx';
import type { ResourceReading } from './reading.ts';
import { send } from '../../api.ts';

interface ResourceChangesProps extends Pick<Parameters<typeof ChangesBar>[0], 'isDiscardable' | 'discardsOf'> {
  readonly reading: ResourceReading;
}

/** What of a resource waits for a deploy. */
export const ResourceChanges = ({ reading, ...discarding }: ResourceChangesProps) => {
  const { value } = reading.resource;
  return (
    <ChangesBar
      {...discarding}
      of={value?.resource.displayName ?? reading.name}
      changes={reading.changes.value?.items ?? []}
      isDraft={value !== null && isDraft(value.resource)}
      deploy={() => send(reading.request('deploy'))}
      onDone={reading.reload}
    />
  );
};
