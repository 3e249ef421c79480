import type { CoreDatabase, DatabaseStatus } from '../../../crds/coreDatabase.ts';
import type { Provision } from '../../../crds/provisioning.ts';
import { connectionSecretName } from '../../../rules/database/connection.ts';
import { namespaceOf } from '../../../rules/database/effective.ts';
import type { DatabaseFacts } from '../../../rules/database/facts.ts';
import { hindranceIn } from '../../../rules/database/hindrance.ts';
import { activeAttempt, attemptEnded, attemptStarted, errorRecorded } from '../../../rules/provision/attempts.ts';
import type { DatabaseAction } from '../../../machines/names.ts';
import type { Acting } from '../../lifecycle.ts';
import { reachedAt } from './login.ts';
import { specOf } from './surroundings.ts';

type Fields = { readonly [F in keyof DatabaseStatus]?: DatabaseStatus[F] | null };
type Writes = (acting: Acting<CoreDatabase, DatabaseFacts>) => Fields;

/** What hinders it, in the words of Ready; null where nothing does. */
function hindranceText({ around, gate, wanted, restore }: DatabaseFacts): string | null {
  if (around.is !== 'known') return null;
  const seen = { ...around.value, gate, wanted, restore };
  return hindranceIn(seen)?.message(seen).text ?? null;
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
export const writes: Readonly<Record<DatabaseAction, Writes>> = {
  applyWorkload: nothing,
  writeConnection: nothing,
  deleteWorkload: nothing,
  startAttempt: ({ object, at }) => ({ provision: attemptStarted(object.status?.provision, at) }),
  recordFailure: (acting) => {
    const provision = withError(acting);
    return provision === undefined ? {} : { provision };
  },
  // What ends an attempt is its last error: one write of the field holds both.
  failAttempt: (acting) => ({
    provision: attemptEnded(withError(acting), { at: acting.at, phase: 'Failed', summary: acting.text }),
  }),
  succeedAttempt: ({ object, at }) => ({
    provision: attemptEnded(object.status?.provision, { at, phase: 'Succeeded', summary: 'Provisioned' }),
  }),
  recordHost: ({ object, facts, reader }) => {
    const spec = specOf(object, facts.gate);
    return {
      host: reachedAt(object, spec, reader),
      connectionSecret: connectionSecretName(object.metadata.name),
      targetNamespace: namespaceOf(spec),
    };
  },
  recordRestored: ({ at }) => ({ restoredAt: at }),
  // Backups and restores are not implemented yet, so there is nothing to start, to load or to retire.
  createRestoreJob: nothing,
  startFinalBackup: nothing,
  retireArchive: nothing,
};
