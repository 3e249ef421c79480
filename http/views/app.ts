import type { CoreApp } from '../../crds/coreApp.ts';
import { annotation } from '../../crds/names.ts';
import { conditionOf } from '../../rules/condition.ts';
import { redacted, type RedactedCopy } from '../../rules/redaction/redact.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import { stateOf } from '../../rules/state.ts';
import type { View } from '../../rules/access/needs.ts';
import type { Read, Summary } from '../api.ts';

const sourceOf = ({ source }: CoreApp['spec']) => (source.git ? 'git' : source.function ? 'function' : 'image');

const detailsOf = ({ spec }: CoreApp, { status }: RedactedCopy<CoreApp>, reason: string): Summary['details'] => ({
  source: sourceOf(spec),
  reason,
  currentBuild: status.currentBuild ?? '',
  resolvedImage: status.resolvedImage ?? '',
  replicas: spec.replicas ?? 1,
  scaleToZero: spec.scaleToZero?.enabled ?? false,
});

/** A service in the shape of every list and read (decision 23). */
export const appSummary = (app: CoreApp, view: View): Summary => summaryOf(app, redacted('CoreApp', app, view), view);

function summaryOf(app: CoreApp, copy: RedactedCopy<CoreApp>, view: View): Summary {
  const { metadata, status } = copy;
  const ready = conditionOf(app, 'Ready') ?? { reason: '', message: '' };
  return {
    kind: 'CoreApp',
    name: metadata.name,
    displayName: metadata.annotations?.[annotation.displayName] ?? metadata.name,
    project: app.spec.project,
    environment: app.spec.environment,
    state: stateOf(app),
    message: messageInWords(ready, view),
    createdAt: metadata.creationTimestamp ?? '',
    url: status.url ?? '',
    details: detailsOf(app, copy, ready.reason),
  };
}

/** A service with its state, redacted for a view. */
export function appRead(app: CoreApp, view: View): Read {
  const copy = redacted('CoreApp', app, view);
  return { resource: summaryOf(app, copy, view), spec: copy.spec, status: copy.status };
}
