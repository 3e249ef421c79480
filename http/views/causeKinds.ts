import {
  apps,
  builds,
  databases,
  logicalDatabases,
  objectStores,
  projects,
} from '../../runtime/services/cluster/kinds.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';

/** The kinds whose objects record causes. */
export const kindsWithCauses: readonly Resource[] = [apps, builds, databases, logicalDatabases, objectStores, projects];
