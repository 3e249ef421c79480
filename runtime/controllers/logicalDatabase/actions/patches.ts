import type { CoreLogicalDatabase, LogicalDatabaseStatus } from '../../../../crds/coreLogicalDatabase.ts';
import type { LogicalDatabaseAction } from '../../../../machines/names.ts';
import type { LogicalDatabaseFacts } from '../../../../rules/logicalDatabase/facts.ts';
import { logicalHindranceIn } from '../../../../rules/logicalDatabase/hindrance.ts';
import { createJobName, logicalConnectionName } from '../../../../rules/logicalDatabase/names.ts';
import type { Acting } from '../../../contract/lifecycle.ts';
import { attemptWrites } from '../../provisioned/attempts.ts';
import { instanceOf, placedOn } from '../observe/server.ts';

type Fields = { readonly [F in keyof LogicalDatabaseStatus]?: LogicalDatabaseStatus[F] | null };
type Writes = (acting: Acting<CoreLogicalDatabase, LogicalDatabaseFacts>) => Fields;

function hindranceText({ around }: LogicalDatabaseFacts): string | null {
  return around.is === 'known' ? (logicalHindranceIn(around.value)?.message(around.value).text ?? null) : null;
}

const nothing: Writes = () => ({});

/** What each named action writes. Actions that only act write nothing. */
export const writes: Readonly<Record<LogicalDatabaseAction, Writes>> = {
  createJob: ({ object }) => ({ jobName: createJobName(object.metadata.name) }),
  writeConnection: nothing,
  createDropJob: nothing,
  removeJobs: nothing,
  removeSecrets: nothing,
  ...attemptWrites({ messageOf: hindranceText, errorBegins: true }),
  recordDatabase: ({ object, reader }) => {
    const placed = placedOn(object, reader);
    if (placed === null) return {};
    return {
      database: placed.database,
      ...(placed.owner === 'shared' ? { username: placed.login } : {}),
      serverInstance: instanceOf(placed, reader),
      jobName: createJobName(object.metadata.name),
      connectionSecret: logicalConnectionName(object.metadata.name),
    };
  },
};
