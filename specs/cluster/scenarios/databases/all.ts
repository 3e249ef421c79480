import type { Steps } from '../../step.ts';
import { creation } from './creation.ts';
import { deletion } from './deletion.ts';
import { failover } from './failover.ts';
import { operator } from './operator.ts';
import { restarts } from './restarts.ts';
import { restore } from './restore.ts';
import { stopAndDeploy } from './stopAndDeploy.ts';

/** Databases by the real CloudNativePG. The moment to restore must be five minutes old, so the restore comes late. */
export const databases: Steps = (cluster) =>
  [operator, creation, restarts, failover, stopAndDeploy, restore, deletion].flatMap((make) => make(cluster));
