import type { Bug } from './bug.ts';
import { buildPatches } from './buildPatches.ts';
import { cachePatches } from './cachePatches.ts';
import { controllerBugs } from './controllerBugs.ts';
import { dataBugs } from './dataBugs.ts';
import { leasePatches } from './leasePatches.ts';
import { passPatches } from './passPatches.ts';
import { queuePatches } from './queuePatches.ts';
import { serviceBugs } from './serviceBugs.ts';

/** Every bug that is planted. */
export const bugs: readonly Bug[] = [
  ...passPatches,
  ...queuePatches,
  ...cachePatches,
  ...leasePatches,
  ...buildPatches,
  ...serviceBugs,
  ...controllerBugs,
  ...dataBugs,
];
