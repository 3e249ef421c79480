import type { CoreApp } from '../../crds/coreApp.ts';
import { annotation } from '../../crds/names.ts';
import { conditionOf } from '../../rules/condition.ts';
import { pendingOf } from '../../rules/draftDeploy/stored.ts';
import { redacted, type RedactedCopy } from '../../rules/redaction/redact.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import { portOf, sourceOf } from '../../rules/service/effective.ts';
import { stateOf } from '../../rules/state.ts';
import type { View } from '../../rules/access/needs.ts';
import type { Read, StatusItem, Summary } from '../api.ts';

/** What is asked of sleeping, and what became of it; null where the service is to stay awake. */
export const sleepOf = ({ spec: { scaleToZero }, status }: CoreApp): StatusItem['scaleToZero'] => {
  if (scaleToZero?.enabled !== true) return null;
  const { idleSeconds = null, maxReplicas = null } = scaleToZero;
  return { idleSeconds, maxReplicas, ...status?.scaleToZero };
};

/** What a source is made of; what is hidden from a view is empty. */
function sourceShown({ source }: RedactedCopy<CoreApp>['spec']) {
  const { image = '', git = {}, function: code = {} } = source ?? {};
  const { repository = '', branch = '' } = git;
  const { runtime = '', mode = '' } = code;
  return { image, repository, branch, runtime, mode };
}

const detailsOf = (app: CoreApp, { spec, status }: RedactedCopy<CoreApp>, reason: string): Summary['details'] => ({
  source: sourceOf(app.spec),
  ...sourceShown(spec),
  port: portOf(app.spec),
  replicas: app.spec.replicas ?? 1,
  autoscaling: spec.autoscaling ?? null,
  host: spec.networking?.host ?? '',
  scaleToZero: sleepOf(app),
  pending: pendingOf(app),
  reason,
  currentBuild: status.currentBuild ?? '',
  resolvedImage: status.resolvedImage ?? '',
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
