import type { CoreCloudConnection } from '../../crds/coreCloudConnection.ts';
import type { View } from '../../rules/access/needs.ts';
import { conditionOf } from '../../rules/condition.ts';
import { redacted } from '../../rules/redaction/redact.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import { stateOf } from '../../rules/state.ts';
import type { Read, Summary } from '../routes/resource.ts';

/** A cloud connection in the shape of every list and read, without its keys. */
export function cloudConnectionSummary(connection: CoreCloudConnection, users: readonly string[], view: View): Summary {
  const { metadata, spec } = connection;
  const ready = conditionOf(connection, 'Ready') ?? { reason: '', message: '' };
  return {
    kind: 'CoreCloudConnection',
    name: metadata.name,
    displayName: metadata.name,
    project: spec.project ?? '',
    environment: '',
    state: stateOf({ metadata, status: connection.status ?? {} }),
    message: messageInWords(ready, view),
    createdAt: metadata.creationTimestamp ?? '',
    url: '',
    cause: null,
    details: {
      provider: spec.provider,
      region: spec.region ?? '',
      endpoint: spec.endpoint ?? '',
      iamEndpoint: spec.iamEndpoint ?? '',
      /** What cannot do without it. */
      usedBy: users,
      reason: ready.reason,
    },
  };
}

export function cloudConnectionRead(connection: CoreCloudConnection, users: readonly string[], view: View): Read {
  const { spec, status } = redacted('CoreCloudConnection', connection, view);
  return { resource: cloudConnectionSummary(connection, users, view), spec, status };
}
