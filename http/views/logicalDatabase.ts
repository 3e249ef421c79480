import type { CoreLogicalDatabase } from '../../crds/coreLogicalDatabase.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import { conditionOf } from '../../rules/condition.ts';
import { redacted, type RedactedCopy } from '../../rules/redaction/redact.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import { stateOf } from '../../rules/state.ts';
import type { Read, Summary } from '../api.ts';

/** A logical database in the shape of every list and read (decision 23). */
export const logicalSummary = (logical: CoreLogicalDatabase, view: View): Summary =>
  summaryOf(logical, redacted('CoreLogicalDatabase', logical, view), view);

function summaryOf(logical: CoreLogicalDatabase, copy: RedactedCopy<CoreLogicalDatabase>, view: View): Summary {
  const { metadata, spec, status } = copy;
  const ready = conditionOf(logical, 'Ready') ?? { reason: '', message: '' };
  return {
    kind: 'CoreLogicalDatabase',
    name: metadata.name,
    displayName: metadata.annotations?.[annotation.displayName] ?? metadata.name,
    project: logical.spec.project,
    environment: logical.spec.environment,
    state: stateOf(logical as KubeObject),
    message: messageInWords(ready, view),
    createdAt: metadata.creationTimestamp ?? '',
    url: '',
    details: {
      server: spec.serverRef ?? '',
      database: status.database ?? spec.databaseName ?? '',
      reason: ready.reason,
    },
  };
}

/** A logical database with its state, redacted for a view. */
export function logicalRead(logical: CoreLogicalDatabase, view: View): Read {
  const copy = redacted('CoreLogicalDatabase', logical, view);
  return { resource: summaryOf(logical, copy, view), spec: copy.spec, status: copy.status };
}
