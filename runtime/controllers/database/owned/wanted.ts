import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { missingOf } from '../../../../rules/database/connection.ts';
import { isManaged, ranAs } from '../../../../rules/database/effective.ts';
import type { DatabaseWanted } from '../../../../rules/database/facts.ts';
import { misnamedOf } from '../../../../rules/database/misnamed.ts';
import { unsupportedOf } from '../../../../rules/database/unsupported.ts';

/** The requested settings on which rules decide, and the Secret with a missing password. */
export const wantedOf = (
  database: Pick<CoreDatabase, 'metadata'>,
  spec: DatabaseSpec,
  passwordAwaited = '',
): DatabaseWanted => ({
  ...ranAs(database, spec),
  provider: spec.provider ?? '',
  managed: isManaged(spec),
  highAvailability: spec.highAvailability,
  instances: spec.instances,
  backup: spec.backup?.enabled ?? false,
  restoreFrom: spec.restoreFrom !== undefined,
  missing: spec.placement === 'External' ? missingOf(spec) : [],
  passwordAwaited,
  misnamed: misnamedOf(database, spec),
  unsupported: unsupportedOf(spec),
});
