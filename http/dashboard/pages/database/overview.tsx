import { systemNamespace } from '../../../../crds/names.ts';
import type { Read } from '../../../api.ts';
import { DatabaseFacts } from '../../kinds/database/databaseFacts.tsx';
import { Attempts } from '../../parts/attempts.tsx';
import { Command } from '../../parts/copy.tsx';
import { attemptsOf } from '../../words/attempts.ts';
import { programName } from '../../words/command.ts';

/** What a database is, and its attempts. */
export const DatabaseOverview = ({ read }: { readonly read: Read }) => (
  <div class="columns">
    <DatabaseFacts database={read} />
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
