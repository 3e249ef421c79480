import type { CoreObjectStore } from '../../crds/coreObjectStore.ts';
import { appliesAtOnce, waitingKinds } from '../../rules/draftDeploy/waits.ts';
import { resourceViews } from './resource.ts';

export const { summary: objectStoreSummary, read: objectStoreRead } = resourceViews<CoreObjectStore>({
  kind: 'CoreObjectStore',
  details: (store, { status }, { reason }) => ({
    mode: store.spec.mode,
    bucket: status.bucket ?? '',
    endpoint: status.endpoint ?? '',
    pending: waitingKinds('bucket', store),
    appliesAtOnce: appliesAtOnce('bucket', store),
    reason,
  }),
});
