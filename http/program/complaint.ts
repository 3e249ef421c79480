import { BadData } from '../../runtime/embedded/index.ts';
import { Away, Refused } from '../../runtime/services/cluster.ts';
import { why } from '../../runtime/services/why.ts';
import { BadSetting } from './settings.ts';

/** Why a start failed, in one line for the user who can fix it; null for an error in our code. */
export function complaintOf(error: unknown): string | null {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof BadSetting || error instanceof BadData) return message;
  if (error instanceof Away) return `the Kubernetes API does not answer: ${why(error)}`;
  if (error instanceof Refused) return `the Kubernetes API refuses: ${why(error)}`;
  const [, taken] = /EADDRINUSE: address already in use (\S+)/.exec(message) ?? [];
  if (taken !== undefined) return `${taken} is in use: stop what listens there, or choose another port (0 takes any)`;
  const [, denied] = /(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EEXIST|ENOTDIR): ([^\n]+)/.exec(message) ?? [];
  return denied === undefined ? null : denied;
}
