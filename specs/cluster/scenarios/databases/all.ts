import type { Steps } from '../../step.ts';
import { namespaceGoes, namespaceHangs } from '../environments.ts';
import { backup, creation, nodes } from './creation.ts';
import { deletion } from './deletion.ts';
import { failover } from './failover.ts';
import { afterOperator, operator } from './operator.ts';
import { restarts } from './restarts.ts';
import { restore } from './restore.ts';
import { stopAndDeploy } from './stopAndDeploy.ts';

const listed =
  (...parts: readonly Steps[]): Steps =>
  (cluster) =>
    parts.flatMap((make) => make(cluster));

/** Databases by the real CloudNativePG, until one of them is backed up. */
export const databases = listed(nodes, operator, afterOperator, backup, creation);

/** What happens to them. The moment to restore must be five minutes old, so the restore comes late. */
export const databasesLater = listed(
  restarts,
  namespaceHangs,
  failover,
  stopAndDeploy,
  restore,
  deletion,
  namespaceGoes,
);
