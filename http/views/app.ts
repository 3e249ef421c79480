import type { CoreApp } from '../../crds/coreApp.ts';
import { annotation } from '../../crds/names.ts';
import { conditionOf } from '../../rules/condition.ts';
import type { Read, Summary } from '../api.ts';

const failures = new Set(['ProvisionFailed', 'BuildFailed']);

/** In the order the document gives: deleting, draft, ready, failed, pending. */
function stateOf({ metadata, spec }: CoreApp, ready: ReturnType<typeof conditionOf>): Summary['state'] {
  if (metadata.deletionTimestamp !== undefined) return 'deleting';
  if (!spec.deploy.enabled) return 'draft';
  if (ready?.status === 'True') return 'ready';
  return failures.has(ready?.reason ?? '') ? 'failed' : 'pending';
}

const sourceOf = ({ source }: CoreApp['spec']) => (source.git ? 'git' : source.function ? 'function' : 'image');

const detailsOf = ({ spec, status }: CoreApp, reason: string): Summary['details'] => ({
  source: sourceOf(spec),
  reason,
  currentBuild: status?.currentBuild ?? '',
  resolvedImage: status?.resolvedImage ?? '',
  replicas: spec.replicas ?? 1,
  scaleToZero: spec.scaleToZero?.enabled ?? false,
});

/** A service in the shape of every list and read (decision 23). */
export function appSummary(app: CoreApp): Summary {
  const { metadata, spec, status } = app;
  const ready = conditionOf(app, 'Ready');
  return {
    kind: 'CoreApp',
    name: metadata.name,
    displayName: metadata.annotations?.[annotation.displayName] ?? metadata.name,
    project: spec.project,
    environment: spec.environment,
    state: stateOf(app, ready),
    message: ready?.message ?? '',
    createdAt: metadata.creationTimestamp ?? '',
    url: status?.url ?? '',
    details: detailsOf(app, ready?.reason ?? ''),
  };
}

/** Secret values written into a spec are never read out; their names are (SEC-019). */
export function appRead(app: CoreApp): Read {
  const { secretData } = app.spec;
  const blanked = secretData && Object.fromEntries(Object.keys(secretData).map((name) => [name, '']));
  return {
    resource: appSummary(app),
    spec: blanked ? { ...app.spec, secretData: blanked } : app.spec,
    status: app.status ?? {},
  };
}
