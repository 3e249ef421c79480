import { Effect, Stream } from 'effect';
import type { CoreDatabase } from '../../crds/coreDatabase.ts';
import { annotation, key } from '../../crds/names.ts';
import { connectionSecret } from '../../rules/database/secrets.ts';
import { appliedObject, ownerOf } from '../../rules/owned/ownedObject.ts';
import { isoTime } from '../../rules/time.ts';
import { historyOf } from '../../runtime/step/history.ts';
import {
  backupJobs,
  helmCharts,
  postgresBackups,
  postgresClusters,
  scheduledBackups,
} from '../../runtime/owned/addonKinds.ts';
import { backupArchives, databases } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { bareEntry } from './bareEntry.ts';
import { bareEvents, lookForRest, runParts } from './bareParts.ts';
import type { Deploy } from './databaseLives.ts';
import { follow } from './follow.ts';

/** The moves of a life, in their order: of the gate, of the row of failures, of the database. */
const life = [
  { machine: 'draftDeploy', from: '(none)', event: 'draftFound', to: 'Draft' },
  { machine: 'database', from: '(none)', event: 'createdAsDraft', to: 'Draft' },
  { machine: 'draftDeploy', from: 'Draft', event: 'deployed', to: 'Deployed' },
  { machine: 'provisionRetry', from: 'Clean', event: 'redeployFound', to: 'Clean' },
  { machine: 'database', from: 'Draft', event: 'gateOpened', to: 'Provisioning' },
  { machine: 'database', from: 'Provisioning', event: 'externalAccepted', to: 'Ready' },
  { machine: 'database', from: 'Ready', event: 'deletionSeen', to: 'Deleting' },
  { machine: 'database', from: 'Deleting', event: 'workloadDeleted', to: '(deleted)' },
];
const finalizer = key('database');

export interface BareDatabases {
  readonly deploy: Deploy;
  readonly end: () => Promise<void>;
}

/**
 * The least that could carry databases through the same life: one watch, the very writes that the runtime makes, as
 * constants, and its look for what is left of one that must not run or is to go. No cache, rules, machine, queue or
 * precondition; Events wait for nobody, as those of the runtime do.
 */
export function bareDatabases(cluster: ClusterShape): BareDatabases {
  const history = life.map((arrow, index) => bareEntry(index + 1, arrow));
  const { post, posting } = bareEvents(cluster);
  const rest = (name: string) =>
    lookForRest(cluster, { kind: 'CoreDatabase', name }, [
      postgresClusters,
      helmCharts,
      owned.claims,
      owned.services,
      owned.deployments,
      owned.secrets,
    ]);
  const restOfBackups = (name: string) =>
    lookForRest(cluster, { kind: 'CoreDatabase', name }, [
      owned.cronJobs,
      backupJobs,
      scheduledBackups,
      postgresBackups,
      owned.secrets,
    ]);
  const patch = (name: string, change: object) => cluster.patch(databases, { name }, change);
  /** So many moves are in the history then, and those from `told` on are told. */
  const record = (name: string, [told, moved]: readonly [number, number], fields: object) =>
    Effect.map(cluster.patchStatus(databases, { name }, { ...fields, history: history.slice(0, moved) }), (database) =>
      post(databases, database, history.slice(told, moved)),
    );
  const ready = (status: 'True' | 'False', message: string) => ({
    conditions: [
      { type: 'Ready', status, reason: 'ReconcileError', message, lastTransitionTime: at(), observedGeneration: 1 },
    ],
  });
  const attempt = (phase: string) => [{ id: 'attempt-1', startedAt: at(), phase, summary: 'Provisioning', errors: [] }];

  const begin = ({ metadata: { name } }: CoreDatabase) =>
    patch(name, { metadata: { finalizers: [finalizer] } }).pipe(
      Effect.andThen(
        record(name, [0, 2], {
          phase: 'Draft',
          targetNamespace: 'core-system',
          ...ready('False', 'Resource is configured and waiting for deployment'),
        }),
      ),
      Effect.andThen(rest(name)),
    );
  const deploy = ({ metadata: { name, uid }, spec }: CoreDatabase) => {
    const annotations = {
      [annotation.lastDeployed]: JSON.stringify({ ...spec, deploy: { enabled: true } }),
      [annotation.deployRevision]: at(),
      [annotation.move]: JSON.stringify({ uid, ...history[2] }),
    };
    return patch(name, { spec: { deploy: { enabled: true } }, metadata: { annotations } }).pipe(
      Effect.andThen(record(name, [2, 3], ready('False', 'Database is being provisioned'))),
    );
  };
  const provision = (database: CoreDatabase) => {
    const { name } = database.metadata;
    const { spec } = database;
    const connection = connectionSecret(database, spec, { username: 'app', password: 's/cret' });
    return record(name, [3, 5], {
      phase: 'Provisioning',
      deployRevision: at(),
      provision: { activeProvisionAttempt: 'attempt-1', provisionAttempts: attempt('Running') },
      ...ready('False', 'Database is being provisioned'),
    }).pipe(
      Effect.andThen(
        cluster.apply(owned.secrets, appliedObject(connection, ownerOf('CoreDatabase', database)), 'nothing'),
      ),
      Effect.andThen(
        record(name, [5, 6], {
          phase: 'Ready',
          host: spec.externalHost,
          connectionSecret: connection.metadata.name,
          provision: { activeProvisionAttempt: null, provisionAttempts: attempt('Succeeded') },
          ...ready('True', 'External database connection is available'),
        }),
      ),
    );
  };
  const end = ({ metadata: { name } }: CoreDatabase) =>
    cluster
      .remove(owned.secrets, { name: `${name}-connection` })
      .pipe(
        Effect.andThen(record(name, [6, 7], { phase: 'Deleting', ...ready('False', 'Database is being provisioned') })),
        Effect.andThen(rest(name)),
        Effect.andThen(restOfBackups(name)),
        Effect.andThen(record(name, [7, 8], {})),
        Effect.andThen(Effect.ignore(cluster.list(backupArchives))),
        Effect.andThen(patch(name, { metadata: { finalizers: [] } })),
      );

  /** What is due of a database by what is seen of it: each once. */
  const dueOf = (database: CoreDatabase) => {
    const moved = historyOf(database).length;
    if (moved === 0 && database.metadata.finalizers === undefined) return begin(database);
    if (moved === 3) return provision(database);
    return moved === 6 && database.metadata.deletionTimestamp !== undefined ? end(database) : Effect.void;
  };
  const loop = follow(cluster, databases).pipe(
    Stream.mapEffect(
      (change) =>
        change.type === 'added' || change.type === 'modified' ? Effect.ignore(dueOf(change.object)) : Effect.void,
      { concurrency: 16, unordered: true },
    ),
    Stream.runDrain,
  );
  return { deploy, end: runParts([loop, posting]) };
}

const at = () => isoTime(Date.now());
