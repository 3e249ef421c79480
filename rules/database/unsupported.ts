import type { DatabaseSpec } from '../../crds/coreDatabase.ts';

/** The part of a spec that this version does not support, as a sentence; empty when all of it is supported. */
export const unsupportedOf = ({ placement, restoreFrom }: DatabaseSpec): string =>
  placement === 'InCluster' && restoreFrom ? 'Databases are not restored from backups here yet' : '';
