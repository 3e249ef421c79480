import type { CoreApp } from '../../crds/coreApp.ts';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { Afterwards } from '../../crds/provisioning.ts';
import type { View } from '../../rules/access/needs.ts';
import { appliesAtOnce, waitingKinds } from '../../rules/draftDeploy/waits.ts';
import { redacted } from '../../rules/redaction/redact.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { stateOf } from '../../rules/state.ts';
import { buildOfDeploy, deploySeen, deploymentOf } from '../../runtime/controllers/app/read.ts';
import { specOf } from '../../rules/service/deployed.ts';
import type { StatusItem } from '../routes/apps/shapes.ts';
import { appSummary, sleepOf } from './app.ts';
import type { CauseReading } from './cause.ts';
import { isDeleting } from '../../rules/deleting.ts';

interface Counted {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly readyReplicas?: number; readonly availableReplicas?: number };
}

function replicasOf(app: CoreApp, reader: CacheReader): StatusItem['replicas'] {
  const found = deploymentOf(app, specOf(app), reader) as Counted | undefined;
  if (!found) return null;
  const { readyReplicas = 0, availableReplicas = 0 } = found.status ?? {};
  return { desired: found.spec?.replicas ?? 1, ready: readyReplicas, available: availableReplicas };
}

function buildView(build: CoreBuild, view: View): StatusItem['build'] {
  const { status } = redacted('CoreBuild', build, view);
  return {
    name: build.metadata.name,
    phase: status.phase || 'Pending',
    failureReason: status.failureReason ?? '',
    sourceRevision: status.sourceRevision ?? '',
    ciState: status.ciState ?? '',
    startedAt: status.startedAt ?? null,
    completedAt: status.completedAt ?? null,
  };
}

function attemptView(app: CoreApp, view: View): StatusItem['lastAttempt'] {
  const [last] = redacted('CoreApp', app, view).status.provision?.provisionAttempts ?? [];
  if (!last) return null;
  return {
    id: last.id ?? '',
    phase: last.phase ?? '',
    startedAt: last.startedAt ?? null,
    completedAt: last.completedAt ?? null,
    summary: last.summary ?? '',
    errors: (last.errors ?? []).map(({ recordedAt = '', message = '' }) => ({ recordedAt, message })),
    afterwards: afterwardsOf(last.afterwards),
  };
}

const afterwardsOf = (after: Partial<Afterwards> | undefined): NonNullable<StatusItem['lastAttempt']>['afterwards'] =>
  after === undefined
    ? null
    : { reason: after.reason ?? '', message: after.message ?? '', at: after.at ?? '', count: after.count ?? 0 };

/** What a service is doing (002 status; MCP-010, 011). */
export function statusItem(app: CoreApp, reader: CacheReader, { view, gitUrl }: CauseReading): StatusItem {
  const { name, project, environment, message, url, cause } = appSummary(app, view, gitUrl);
  const state = stateOf(app, deploySeen(app, reader).takenUp);
  const build = buildOfDeploy(app, reader);
  return {
    name,
    project,
    environment,
    state,
    message,
    url,
    ready: state === 'ready',
    pendingChanges: waitingKinds('service', app).length > 0,
    appliesAtOnce: appliesAtOnce('service', app),
    sleeping: app.status?.phase === 'Asleep' && !isDeleting(app),
    replicas: replicasOf(app, reader),
    scaleToZero: sleepOf(app),
    build: build ? buildView(build, view) : null,
    lastAttempt: attemptView(app, view),
    cause,
  };
}
