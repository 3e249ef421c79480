import type { Tool } from '../tool.ts';
import { otherLists } from './otherLists.ts';
import { otherTools } from './others.ts';
import { resourceLists } from './resourceLists.ts';
import { serviceTools } from './services.ts';

/** Every tool, whatever role may use it. */
export const tools: readonly Tool[] = [...resourceLists, ...otherLists, ...otherTools, ...serviceTools];
