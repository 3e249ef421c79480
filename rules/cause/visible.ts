import type { StoredCause } from '../../crds/cause.ts';
import type { View } from '../access/needs.ts';
import { defined } from '../defined.ts';
import { messageInWords } from '../redaction/words.ts';

/** What viewers may not know that a service uses. */
const connected: ReadonlySet<string> = new Set(['CoreDatabase', 'CoreLogicalDatabase', 'CoreObjectStore']);

const namedToViewers: ReadonlySet<string> = new Set([
  ...connected,
  'CoreApp',
  'CoreBackupArchive',
  'CoreBuild',
  'CoreDeployment',
  'CoreProject',
  'Deployment',
  'Namespace',
  'ReplicaSet',
  'StatefulSet',
]);

const rank = { viewer: 0, observer: 1, whole: 2 } as const satisfies Record<View, number>;

/** What a name becomes for those who may not read it. */
export const leftOut = '…';

/**
 * The least view that reads the names of an object in a cause: of Secrets, nodes, clusters and connections the whole
 * one; of Jobs, and of what a service is connected to, an observer's.
 */
export const namesTo = (owner: string, kind: string, on: string): View => {
  if (kind !== 'Job' && !namedToViewers.has(kind)) return 'whole';
  return kind === 'Job' || isConnection(owner, on) ? 'observer' : 'viewer';
};

/** Whether an object of a kind waits for something that viewers may not know that it uses. */
export const isConnection = (owner: string, on: string): boolean => owner === 'CoreApp' && connected.has(on);

/** Whether a view reads what another one reads at least. */
export const isReadBy = (view: View, least: View): boolean => rank[least] <= rank[view];

/**
 * A cause of an object of a kind as a view reads it. Log lines are for those who may read logs; without `isNamed` every
 * name is left out, because the view may not know which object has the cause.
 */
export function visibleCause(
  owner: string,
  cause: StoredCause,
  view: View,
  isNamed = true,
): Omit<StoredCause, 'params'> {
  const { of, reason, severity, message, params, on, root, since, count, lastAt, exitCode, logLine } = cause;
  const { gaveUp, resolved } = cause;
  const named = <Named extends StoredCause['on']>(object: Named): Named =>
    isNamed && isReadBy(view, namesTo(owner, object.kind, on.kind)) ? object : { ...object, name: leftOut };
  return {
    of,
    reason,
    severity,
    message: messageInWords({ reason, message, params }, view),
    on: named({ kind: on.kind, name: on.name, namespace: on.namespace }),
    ...(root && { root: named({ kind: root.kind, name: root.name, namespace: root.namespace, reason: root.reason }) }),
    since,
    ...defined({ count, lastAt, exitCode, logLine: view === 'viewer' ? undefined : logLine, gaveUp, resolved }),
  };
}
