import { systemNamespace } from '../../../../crds/names.ts';
import type { Change, Read } from '../../../api.ts';
import { DatabaseFacts } from '../../kindPages/database/databaseFacts.tsx';
import { Attempts } from '../../components/attempts.tsx';
import { Command } from '../../components/copy.tsx';
import { attemptsOf } from '../../model/attempts.ts';
import { programName } from '../../model/command.ts';

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
