import { Effect } from 'effect';
import type { CloudConnectionSpec, CoreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import type { Checked } from '../../../rules/cloud/ready.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Outside } from '../../outside.ts';
import { Cloud, isRefusal } from '../../services/cloud.ts';
import { accountIn } from './account.ts';

type Check = (connection: CoreCloudConnection, reader: CacheReader) => Effect.Effect<Checked, never, Outside>;

const checkCloud: Check = (connection, reader) =>
  Effect.flatMap(Cloud, (cloud) => cloud.check(accountIn(connection, reader))).pipe(
    Effect.map((): Checked => ({ is: 'works' })),
    Effect.catch((failure) =>
      Effect.succeed<Checked>({ is: isRefusal(failure) ? 'refused' : 'silent', why: failure.why }),
    ),
  );

/** How the keys of a provider are checked by an authenticated request; null where nothing checks them yet. */
export const checks: Readonly<Record<CloudConnectionSpec['provider'], Check | null>> = {
  Cloud: checkCloud,
  ManagedDb: null,
};
