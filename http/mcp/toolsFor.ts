import type { Identity } from '../api.ts';
import { type Allowed, callerOf, type Description, granted, offered } from './offered.ts';
import { tools } from './tools/all.ts';
import type { Tool } from './tool.ts';

/** The tools that a caller may use, as the API itself describes its routes. */
export const toolsFor = (description: Description, identity: Identity, allowed: Allowed): readonly Tool[] =>
  offered(tools, granted(description, callerOf(identity)), allowed);
