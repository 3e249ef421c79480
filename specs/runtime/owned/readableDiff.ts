import { type Diff, displayName, overwrittenMessage, unmanagedMessage } from '../../../runtime/owned/owned.ts';

/** A diff in words, as a spec compares it. */
export const readableDiff = ({
  absent,
  stale,
  terminating,
  toPrune,
  pendingInCache,
  unmanaged,
  overwritten,
}: Diff) => ({
  absent: absent.map(displayName),
  stale: stale.map(displayName),
  terminating: terminating.map(displayName),
  toPrune: toPrune.map(displayName),
  pendingInCache: pendingInCache.map(displayName),
  unmanaged: unmanaged.map(unmanagedMessage),
  overwritten: overwritten.map(overwrittenMessage),
});
