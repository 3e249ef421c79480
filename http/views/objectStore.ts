import type { CoreObjectStore } from '../../crds/coreObjectStore.ts';
import { annotation } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import { conditionOf } from '../../rules/condition.ts';
import { pendingOf } from '../../rules/draftDeploy/stored.ts';
import { redacted, type RedactedCopy } from '../../rules/redaction/redact.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import { stateOf } from '../../rules/state.ts';
import type { Read, Summary } from '../api.ts';

/** An object store in the shape of every list and read (decision 23). */
export const objectStoreSummary = (store: CoreObjectStore, view: View): Summary =>
  summaryOf(store, redacted('CoreObjectStore', store, view), view);

function summaryOf(store: CoreObjectStore, copy: RedactedCopy<CoreObjectStore>, view: View): Summary {
  const { metadata, status } = copy;
  const ready = conditionOf(store, 'Ready') ?? { reason: '', message: '' };
  return {
    kind: 'CoreObjectStore',
    name: metadata.name,
    displayName: metadata.annotations?.[annotation.displayName] ?? metadata.name,
    project: store.spec.project ?? '',
    environment: store.spec.environment ?? '',
    state: stateOf(store),
    message: messageInWords(ready, view),
    createdAt: metadata.creationTimestamp ?? '',
    url: '',
    details: {
      mode: store.spec.mode,
      bucket: status.bucket ?? '',
      endpoint: status.endpoint ?? '',
      pending: pendingOf(store),
      reason: ready.reason,
    },
  };
}

export function objectStoreRead(store: CoreObjectStore, view: View): Read {
  const copy = redacted('CoreObjectStore', store, view);
  return { resource: summaryOf(store, copy, view), spec: copy.spec, status: copy.status };
}
