import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import type { FoundCause, ObjectRef } from '../../../../rules/cause/cause.ts';
import type { CopiesOwner } from '../../../../rules/cause/copies.ts';
import { causesOfServer } from '../../../../rules/cause/server.ts';
import { releaseOf } from '../../../../rules/database/charts.ts';
import { namespaceOf } from '../../../../rules/database/effective.ts';
import { vainPhaseOf } from '../../../../rules/database/postgres.ts';
import { instancesNeeded } from '../../../../rules/database/wanted.ts';
import type { DeploymentSeen } from '../../../../rules/pods.ts';
import { msOf } from '../../../../rules/time.ts';
import { hidden, sentence } from '../../../../rules/words.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { claimSeen, replicaSets } from '../../../owned/addonKinds.ts';
import { ownedBy } from '../../../owned/kinds.ts';
import { owned } from '../../../owned/owned.ts';
import { secretValues } from '../../../services/secretText.ts';
import { newestRevisionOf, type OwnedPod } from '../../revision.ts';
import type { DerivingOfPods } from '../../volumeEvents.ts';
import { wantedOf } from '../owned/wanted.ts';
import { podsOf, postgresServer } from './runs.ts';
import { claimsOf } from './settled.ts';

/** What the pods of a database belong to. */
interface Server {
  readonly on: ObjectRef;
  readonly owners: readonly CopiesOwner[];
  readonly pods: readonly OwnedPod[];
}

/** The values of the Secrets of a database, which no line of a log may show. */
export const secretsOf = ({ metadata }: CoreDatabase, reader: CacheReader): readonly string[] =>
  reader.indexed(owned.secrets, ...ownedBy('CoreDatabase', metadata.name)).flatMap(secretValues);

/** Why the pods of a database do not run, or did not lately; none before it has a server. */
export function copiesOf(
  database: CoreDatabase,
  spec: DatabaseSpec,
  { reader, now, volumeEvent }: DerivingOfPods,
): readonly FoundCause[] {
  const server = serverOf(database, spec, reader);
  if (server === undefined) return [];
  const postgres = postgresServer(database, spec, reader);
  const vain = postgres === undefined ? '' : vainPhaseOf(postgres);
  if (vain !== '') {
    const message = sentence('the cluster refuses the copies: {phase}', { phase: hidden(vain) });
    return [{ reason: 'PodsRefused', message, on: server.on }];
  }
  const copies = {
    ...server,
    wanted: instancesNeeded(wantedOf(database, spec)),
    volumeEvent,
    secrets: () => secretsOf(database, reader),
    now: msOf(now),
  };
  const phase = postgres?.status?.phase ?? '';
  return causesOfServer(copies, claimsOf(database, spec, reader).map(claimSeen)).map((cause) =>
    cause.reason === 'CopiesStarting' && phase !== '' ? { ...cause, message: withPhase(cause.message, phase) } : cause,
  );
}

const withPhase = (message: FoundCause['message'], phase: string) =>
  sentence('{message}: {phase}', { message, phase: hidden(phase) });

function serverOf(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): Server | undefined {
  if (spec.placement === 'External') return undefined;
  const { name } = database.metadata;
  const namespace = namespaceOf(spec);
  const pods = podsOf(database, spec, reader);
  if (spec.engine === 'SQLite') {
    const deployment = reader.get<DeploymentSeen>(owned.deployments, name, namespace);
    const sets = reader.indexed(replicaSets, ...ownedBy('CoreDatabase', name));
    return deployment && { on: { kind: 'Deployment', name, namespace }, ...newestRevisionOf(deployment, sets, pods) };
  }
  if (spec.engine === 'Postgres') {
    const server = postgresServer(database, spec, reader);
    return server && { on: { kind: 'Cluster', name, namespace }, owners: [], pods };
  }
  const [set] = pods.flatMap(({ metadata }) => metadata.ownerReferences ?? []);
  const { kind = 'StatefulSet', name: owner = releaseOf(name, spec.engine) } = set ?? {};
  return { on: { kind, name: owner, namespace }, owners: [], pods };
}
