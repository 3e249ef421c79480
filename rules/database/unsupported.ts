import type { DatabaseSpec } from '../../crds/coreDatabase.ts';

/** The part of a spec that this version does not support, as a sentence; empty when all of it is supported. */
export function unsupportedOf({ placement, provider, mode }: DatabaseSpec): string {
  if (placement === 'External')
    return provider === 'ManagedDb' && mode === 'Create'
      ? 'Databases are not created at ManagedDb here yet; connect to one that exists with mode Connect'
      : '';
  return '';
}
