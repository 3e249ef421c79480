import type { Scene } from '../scene.ts';
import { applying } from './applying.ts';
import { charts } from './charts.ts';
import { creating } from './creating.ts';
import { declaring } from './declaring.ts';
import { discovering } from './discovering.ts';
import { reading } from './reading.ts';
import { removing } from './removing.ts';
import { rules } from './rules.ts';
import { subresources } from './subresources.ts';
import { validating } from './validating.ts';
import { watching } from './watching.ts';
import { writing } from './writing.ts';

/** Every scene, by the name of the file that holds what was answered to it. */
export const scenes: Readonly<Record<string, readonly Scene[]>> = {
  creating,
  reading,
  validating,
  writing,
  subresources,
  removing,
  rules,
  watching,
  declaring,
  discovering,
  applying,
  charts,
};
