import type { DatabaseSpec } from '../../../crds/coreDatabase.ts';
import { missingOf } from '../../../rules/database/connection.ts';
import type { DatabaseWanted } from '../../../rules/database/facts.ts';
import { unsupportedOf } from '../../../rules/database/unsupported.ts';

/** What a spec asks for, as far as rules decide on it; the password is only checked for presence. */
export const wantedOf = (spec: DatabaseSpec, password: string): DatabaseWanted => ({
  engine: spec.engine,
  placement: spec.placement,
  provider: spec.provider ?? '',
  managed: spec.placement === 'External' && spec.provider === 'ManagedDb' && spec.mode === 'Create',
  highAvailability: spec.highAvailability,
  instances: spec.instances,
  backup: spec.backup?.enabled ?? false,
  restoreFrom: spec.restoreFrom !== undefined,
  missing: spec.placement === 'External' ? missingOf(spec, password) : [],
  unsupported: unsupportedOf(spec),
});
