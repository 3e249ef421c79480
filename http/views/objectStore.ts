import type { CoreObjectStore } from '../../crds/coreObjectStore.ts';
import { pendingOf } from '../../rules/draftDeploy/stored.ts';
import { resourceViews } from './resource.ts';

export const { summary: objectStoreSummary, read: objectStoreRead } = resourceViews<CoreObjectStore>({
  kind: 'CoreObjectStore',
  details: (store, { status }, { reason }) => ({
    mode: store.spec.mode,
    bucket: status.bucket ?? '',
    endpoint: status.endpoint ?? '',
    pending: pendingOf(store),
    reason,
  }),
});
