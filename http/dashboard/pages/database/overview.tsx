import { systemNamespace } from '../../../../crds/names.ts';
import type { Change, Read } from '../../../api.ts';
import { DatabaseFacts } from '../../kinds/database/databaseFacts.tsx';
import { Attempts } from '../../parts/attempts.tsx';
import { Command } from '../../parts/copy.tsx';
import { attemptsOf } from '../../words/attempts.ts';
import { programName } from '../../words/command.ts';

interface DatabaseOverviewProps {
  readonly read: Read;
  readonly changes: readonly Change[];
}

/** What a database is, and its attempts. */
export const DatabaseOverview = ({ read, changes }: DatabaseOverviewProps) => (
  <div class="columns">
    <DatabaseFacts database={read} changes={changes} />
    <div class="stack">
      <Attempts attempts={attemptsOf(read.status)} />
      <Command
        what="the command that shows the same"
        text={`${programName} databases get ${read.resource.name}`}
        kubectl={`kubectl get coredatabase ${read.resource.name} -n ${systemNamespace} -o yaml`}
      />
    </div>
  </div>
);
