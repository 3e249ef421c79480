import { BadData } from '../../runtime/embedded/index.ts';
import { Unavailable, Refused } from '../../runtime/services/cluster/cluster.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import { BadSetting, portsIn, type Settings, waysToSet } from './settings.ts';

/** Where a start could not listen, and why; null for an error of another kind. */
function listenFailureMessage(message: string, settings: Settings | null): string | null {
  const [, code, place = ''] = /listen (EADDRINUSE|EACCES|EADDRNOTAVAIL): [a-z ]+ (\S+)/.exec(message) ?? [];
  const [, host] = /getaddrinfo E[A-Z_]+ (\S+)/.exec(message) ?? [];
  if (host !== undefined && host === settings?.host)
    return `${host} is no host: choose another by ${waysToSet(['host'])}`;
  if (code === undefined) return null;
  if (code === 'EADDRNOTAVAIL')
    return `${place} is no address of this machine: choose another by ${waysToSet(['host'])}`;
  const port = Number(/\d+$/.exec(place)?.[0]);
  const names = settings === null ? [] : portsIn(settings).flatMap(([name, value]) => (value === port ? [name] : []));
  const another = `another port${names.length === 0 ? '' : ` by ${waysToSet(names)}`} (0 takes any)`;
  return code === 'EADDRINUSE'
    ? `${place} is in use: stop what listens there, or choose ${another}`
    : `this user may not listen at ${place}: choose ${another}`;
}

/** Why a start failed, in one line for the user who can fix it; null for an error in our code. */
export function startFailureMessage(error: unknown, settings: Settings | null = null): string | null {
  const message = errorMessage(error);
  if (error instanceof BadSetting || error instanceof BadData) return message;
  if (error instanceof Unavailable) return `the Kubernetes API does not answer: ${errorMessage(error)}`;
  if (error instanceof Refused) return `the Kubernetes API refuses: ${errorMessage(error)}`;
  const listening = listenFailureMessage(message, settings);
  if (listening !== null) return listening;
  const [, denied] = /(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EEXIST|ENOTDIR): ([^\n]+)/.exec(message) ?? [];
  if (denied === undefined) return null;
  const isOfDataDir = settings !== null && denied.includes(`'${settings.dataDir}`);
  return isOfDataDir ? `the data directory cannot be used: ${denied}` : denied;
}
