import { Effect } from 'effect';
import type { CloudConnectionSpec, CoreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import type { Checked } from '../../../rules/cloud/ready.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Outside } from '../../services/outside.ts';
import { Cloud, isRefusal } from '../../services/cloud.ts';
import { providerRetry } from '../../../rules/managedDatabase/provider.ts';
import { ManagedDb } from '../../services/managedDb.ts';
import { accountOf as managedAccountOf } from '../database/read.ts';
import { accountIn } from './account.ts';

type Check = (connection: CoreCloudConnection, reader: CacheReader) => Effect.Effect<Checked, never, Outside>;

const checkCloud: Check = (connection, reader) =>
  Effect.flatMap(Cloud, (cloud) => cloud.check(accountIn(connection, reader))).pipe(
    Effect.map((): Checked => ({ is: 'works' })),
    Effect.catch((failure) =>
      Effect.succeed<Checked>({ is: isRefusal(failure) ? 'refused' : 'silent', why: failure.message }),
    ),
  );

/** The list of sizes is the only request that needs just the organization and the token. */
const checkManagedDb: Check = ({ metadata, spec }, reader) => {
  const account = managedAccountOf(metadata.name, spec.project ?? '', reader);
  if (account === null) return Effect.succeed({ is: 'silent', why: 'its keys are gone' });
  return Effect.flatMap(ManagedDb, (provider) => provider.sizes(account, 'postgresql')).pipe(
    Effect.map((): Checked => ({ is: 'works' })),
    Effect.catch((failure) =>
      Effect.succeed<Checked>({
        is: providerRetry(failure) === 'waiting' ? 'silent' : 'refused',
        why: failure.message,
      }),
    ),
  );
};

/** How the keys of a provider are checked by an authenticated request. */
export const checks: Readonly<Record<CloudConnectionSpec['provider'], Check>> = {
  Cloud: checkCloud,
  ManagedDb: checkManagedDb,
};
