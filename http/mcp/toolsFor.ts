import type { CallerIdentity, Description } from './caller.ts';
import { type Allowed, callerOf, granted, offered } from './offered.ts';
import { tools } from './tools/all.ts';
import type { Tool } from './tool.ts';

/** The tools that a caller may use, as the API itself describes its routes. */
export const toolsFor = (description: Description, identity: CallerIdentity, allowed: Allowed): readonly Tool[] =>
  offered(tools, granted(description, callerOf(identity)), allowed);
