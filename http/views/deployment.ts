import type { CoreApp } from '../../crds/coreApp.ts';
import type { CoreDeployment } from '../../crds/coreDeployment.ts';
import { label } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import { verdictOfAttempt } from '../../rules/deploy/verdict.ts';
import { redacted } from '../../rules/redaction/redact.ts';
import { stateOf } from '../../rules/state.ts';
import { msOf } from '../../rules/time.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { deploySeen } from '../../runtime/controllers/app/read.ts';
import { deployments } from '../../runtime/services/cluster/kinds.ts';
import type { Deployment } from '../routes/apps/shapes.ts';

function deploymentView(record: CoreDeployment, view: View): Omit<Deployment, 'verdict'> {
  const { metadata, spec, status } = redacted('CoreDeployment', record, view);
  return {
    id: metadata.name,
    phase: status.phase || 'Recorded',
    image: spec.image ?? '',
    commit: spec.commit ?? '',
    trigger: spec.trigger ?? '',
    actor: spec.actor ?? '',
    changeTitle: spec.changeTitle ?? '',
    createdAt: metadata.creationTimestamp ?? '',
    startedAt: status.startedAt ?? null,
    completedAt: status.completedAt ?? null,
  };
}

/** The state of the newest deploy of a service; null where it is not deployed. */
const verdictOf = (app: CoreApp, reader: CacheReader): Deployment['verdict'] =>
  ['draft', 'deleting'].includes(stateOf(app)) ? null : verdictOfAttempt(deploySeen(app, reader));

const startOf = ({ startedAt, createdAt }: Pick<Deployment, 'startedAt' | 'createdAt'>): number =>
  msOf(startedAt ?? createdAt);

/** The records of a service with its label, the newest first (decision 7). */
export const deploymentsOf = (app: CoreApp, reader: CacheReader, view: View): readonly Deployment[] =>
  reader
    .indexed(deployments, label.app, app.metadata.name)
    .map((record) => deploymentView(record, view))
    .toSorted((a, b) => startOf(b) - startOf(a) || (a.id < b.id ? 1 : -1))
    .map((row, index) => ({ ...row, verdict: index === 0 ? verdictOf(app, reader) : null }));
