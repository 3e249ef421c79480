import type { CoreDatabase, DatabaseStatus } from '../../../../crds/coreDatabase.ts';
import { connectionSecretName } from '../../../../rules/database/connection.ts';
import { namespaceOf } from '../../../../rules/database/effective.ts';
import type { DatabaseFacts } from '../../../../rules/database/facts.ts';
import { hindranceIn } from '../../../../rules/database/hindrance.ts';
import type { DatabaseAction } from '../../../../machines/names.ts';
import type { Acting } from '../../../contract/lifecycle.ts';
import { attemptWrites } from '../../provisioned/attempts.ts';
import { reachedAt } from '../owned/login.ts';
import { specOf } from '../../../../rules/database/deployed.ts';

type Fields = { readonly [F in keyof DatabaseStatus]?: DatabaseStatus[F] | null };
type Writes = (acting: Acting<CoreDatabase, DatabaseFacts>) => Fields;

/** What hinders it, in the words of Ready; null where nothing does. */
function hindranceText({ around, gate, wanted, restore }: DatabaseFacts): string | null {
  if (around.is !== 'known') return null;
  const seen = { ...around.value, gate, wanted, restore };
  return hindranceIn(seen)?.message(seen).text ?? null;
}

const nothing: Writes = () => ({});

/** What each named action writes. Actions that only act write nothing. */
export const writes: Readonly<Record<DatabaseAction, Writes>> = {
  applyWorkload: nothing,
  writeConnection: nothing,
  deleteWorkload: nothing,
  ...attemptWrites({ messageOf: hindranceText, errorBegins: true }),
  recordHost: ({ object, facts, reader }) => {
    const spec = specOf(object, facts.gate);
    return {
      host: reachedAt(object, spec, reader),
      connectionSecret: connectionSecretName(object.metadata.name),
      targetNamespace: namespaceOf(spec),
    };
  },
  recordRestored: ({ at }) => ({ restoredAt: at }),
  createRestoreJob: nothing,
  startFinalBackup: nothing,
  retireArchive: nothing,
  discardRestore: nothing,
};
