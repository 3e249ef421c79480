import type { CoreApp } from '../../crds/coreApp.ts';
import { appliesAtOnce, waitingKinds } from '../../rules/draftDeploy/waits.ts';
import type { RedactedCopy } from '../../rules/redaction/redact.ts';
import { portOf, sourceOf } from '../../rules/service/effective.ts';
import type { StatusItem } from '../routes/apps/shapes.ts';
import type { Summary } from '../routes/resource.ts';
import { resourceViews, type SummaryContext } from './resource.ts';

/** The settings and the state of scale to zero; null where the service stays awake. */
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

const detailsOf = (
  app: CoreApp,
  { spec, status }: RedactedCopy<CoreApp>,
  { reason }: SummaryContext,
): Summary['details'] => ({
  source: sourceOf(app.spec),
  ...sourceShown(spec),
  port: portOf(app.spec),
  replicas: app.spec.replicas ?? 1,
  autoscaling: spec.autoscaling ?? null,
  host: spec.networking?.host ?? '',
  scaleToZero: sleepOf(app),
  pending: waitingKinds('service', app),
  appliesAtOnce: appliesAtOnce('service', app),
  reason,
  currentBuild: status.currentBuild ?? '',
  resolvedImage: status.resolvedImage ?? '',
});

export const { summary: appSummary, read: appRead } = resourceViews<CoreApp>({
  kind: 'CoreApp',
  details: detailsOf,
  url: ({ status }) => status.url ?? '',
});
