import type { CoreLogicalDatabase, LogicalDatabaseStatus } from '../../../crds/coreLogicalDatabase.ts';
import type { Provision } from '../../../crds/provisioning.ts';
import type { LogicalDatabaseAction } from '../../../machines/names.ts';
import type { LogicalDatabaseFacts } from '../../../rules/logicalDatabase/facts.ts';
import { logicalHindranceIn } from '../../../rules/logicalDatabase/hindrance.ts';
import { createJobName, logicalConnectionName } from '../../../rules/logicalDatabase/names.ts';
import { activeAttempt, attemptEnded, attemptStarted, errorRecorded } from '../../../rules/provision/attempts.ts';
import type { Acting } from '../../lifecycle.ts';
import { instanceOf, placedOn } from './server.ts';

type Fields = { readonly [F in keyof LogicalDatabaseStatus]?: LogicalDatabaseStatus[F] | null };
type Writes = (acting: Acting<CoreLogicalDatabase, LogicalDatabaseFacts>) => Fields;

function hindranceText({ around }: LogicalDatabaseFacts): string | null {
  return around.is === 'known' ? (logicalHindranceIn(around.value)?.message(around.value).text ?? null) : null;
}

/** The attempts, with the current hindrance as an error of the one under way, which it begins where there is none. */
function withError({ object, facts, at }: Parameters<Writes>[0]): Provision | undefined {
  const { provision } = object.status ?? {};
  const message = hindranceText(facts);
  if (message === null) return provision;
  const under = activeAttempt(provision) ? provision : attemptStarted(provision, at);
  return errorRecorded(under, { recordedAt: at, message });
}

const nothing: Writes = () => ({});

/** What each named action writes. Actions that only act write nothing. */
export const writes: Readonly<Record<LogicalDatabaseAction, Writes>> = {
  createJob: ({ object }) => ({ jobName: createJobName(object.metadata.name) }),
  writeConnection: nothing,
  createDropJob: nothing,
  removeJobs: nothing,
  removeSecrets: nothing,
  startAttempt: ({ object, at }) => ({ provision: attemptStarted(object.status?.provision, at) }),
  recordFailure: (acting) => {
    const provision = withError(acting);
    return provision === undefined ? {} : { provision };
  },
  failAttempt: (acting) => ({
    provision: attemptEnded(withError(acting), { at: acting.at, phase: 'Failed', summary: acting.text }),
  }),
  succeedAttempt: ({ object, at }) => ({
    provision: attemptEnded(object.status?.provision, { at, phase: 'Succeeded', summary: 'Provisioned' }),
  }),
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
