import type { Tool } from '../tool.ts';
import { otherTools } from './others.ts';
import { serviceTools } from './services.ts';

/** Every tool there is, whoever may use it. */
export const tools: readonly Tool[] = [...otherTools, ...serviceTools];
