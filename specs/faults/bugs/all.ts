import type { Bug } from './bug.ts';
import { buildBugs } from './buildBugs.ts';
import { cacheBugs } from './cacheBugs.ts';
import { controllerBugs } from './controllerBugs.ts';
import { dataBugs } from './dataBugs.ts';
import { leaseBugs } from './leaseBugs.ts';
import { passBugs } from './passBugs.ts';
import { queueBugs } from './queueBugs.ts';
import { serviceBugs } from './serviceBugs.ts';

/** The bugs of the runtime and of builds, for each of which a plan is searched; those of other kinds name their plan. */
export const bugs: readonly Bug[] = [
  ...passBugs,
  ...queueBugs,
  ...cacheBugs,
  ...leaseBugs,
  ...buildBugs,
  ...serviceBugs,
  ...controllerBugs,
  ...dataBugs,
];
