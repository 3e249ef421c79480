import { program, systemNamespace } from '../../crds/names.ts';
import { logLine } from '../services/log.ts';
import type { Change, Store } from '../embedded/index.ts';

const namespaceOf = (store: Store) => store.get({ bucket: '/namespaces', namespace: '', name: systemNamespace });

/** Whether the platform's operator lost its access, and the platform can be recreated. */
function isRemoval(store: Store, { type, bucket, object: { metadata } }: Change): boolean {
  if (type !== 'DELETED') return false;
  if (bucket === '/namespaces') return metadata.name === systemNamespace;
  const isAccount =
    bucket === '/serviceaccounts' && metadata.namespace === systemNamespace && metadata.name === program;
  // Nothing can be created in a terminating namespace; its own deletion follows.
  return isAccount && namespaceOf(store)?.metadata.deletionTimestamp === undefined && namespaceOf(store) !== undefined;
}

/** Calls `restore` when the platform's namespace or its account was removed. Returns the unsubscriber. */
export const onPlatformRemoved = (store: Store, restore: () => Promise<void>): (() => void) =>
  store.onChange((change) => {
    if (!isRemoval(store, change)) return;
    logLine('warn', 'the platform was removed from the embedded cluster and is made anew', {
      removed: `${change.object.kind} ${change.object.metadata.name}`,
    });
    restore().catch((error: unknown) =>
      logLine('error', 'failed to recreate platform objects; restart Core', { error: String(error) }),
    );
  });
