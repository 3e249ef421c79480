import { Clock, Effect } from 'effect';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import { key } from '../../../crds/names.ts';
import { withCondition } from '../../../rules/condition.ts';
import { namespaceOf } from '../../../rules/database/effective.ts';
import { hindranceIn } from '../../../rules/database/hindrance.ts';
import { databaseOutcome, databaseReady } from '../../../rules/database/ready.ts';
import { revisionOf } from '../../../rules/draftDeploy/stored.ts';
import { known, unasked, unknown } from '../../../rules/fact.ts';
import type { PassOutcome } from '../../../rules/provisionRetry/facts.ts';
import { open } from '../../../rules/words.ts';
import { msOf } from '../../../rules/time.ts';
import { readOut } from '../../../rules/verdict.ts';
import { cloudConnections, clusters, databases, haReadiness, projects } from '../../kinds.ts';
import { type AnyLifecycle, type Controller, controller, type Deriving, watching } from '../../lifecycle.ts';
import { jobPods, secrets } from '../../resources.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Resource } from '../../services/cluster.ts';
import { why } from '../../services/why.ts';
import { gaveUpOf, isRetried, reapplied } from '../provisioning.ts';
import { provisionRetryOf } from '../provisionRetry.ts';
import { databaseDraft } from './draft.ts';
import { hasPassword, lacksPassword, loginOf } from './login.ts';
import { databasePieces, type Pieces } from './pieces.ts';
import { databaseProvisioned, phaseOf } from './provisioned.ts';
import { storageClasses } from './resources.ts';
import { clusterNodes, workloadPods } from '../room.ts';
import { clusterOf, gateOf, settling } from './spec.ts';
import { databaseSeen, gateIn, specOf } from './surroundings.ts';

/** CoreDatabase: drafts, deploys and provisions a database, SQLite in the cluster or an external one. */
export function databaseController(): Controller {
  const pieces = databasePieces();
  return controller<CoreDatabase>({
    resource: databases,
    lifecycles: [databaseDraft(), retriesOf(pieces), databaseProvisioned(pieces)],
    watches: [
      ...pieces.watches,
      watching({ resource: projects, concerns: ({ metadata }, reader) => inProject(reader, metadata.name) }),
      watching({
        resource: clusters,
        concerns: ({ metadata }, reader) =>
          namesWhere(reader, ({ spec }) => clusterOf(spec, reader).name === metadata.name),
      }),
      watching({
        resource: cloudConnections,
        concerns: ({ metadata }, reader) =>
          namesWhere(reader, ({ spec }) => spec.connectionRef?.name === metadata.name),
      }),
      watching({
        resource: secrets,
        concerns: ({ metadata }, reader) =>
          namesWhere(
            reader,
            ({ spec }) => spec.placement === 'External' && spec.passwordSecretRef?.name === metadata.name,
          ),
      }),
      watching({
        resource: haReadiness,
        concerns: (_, reader) => namesWhere(reader, ({ spec }) => spec.highAvailability),
      }),
      watching({ resource: storageClasses, concerns: (_, reader) => namesWhere(reader, awaitsSomething) }),
      // Pods come and go with their Deployment, and nodes with their pods: a database that waits requeues by itself.
      ...[workloadPods, jobPods, clusterNodes].map((resource: Resource) => watching({ resource, concerns: () => [] })),
    ],
    derive: (database, deriving) => derive(database, deriving, pieces),
    ensures: {
      contested: reapplied({
        contested: (database, reader) => pieces.difference(database, reader, gateOf(database)).contested,
        apply: (database, reader) => {
          const spec = specOf(database, gateOf(database));
          const login = loginOf(database, spec, reader);
          return login && pieces.applyAll(database, reader, { spec, login });
        },
      }),
      settled: pieces.settled,
    },
    finalizer: { name: key('database') },
    absent: pieces.sweep,
    adopt: settling,
  });
}

const namesWhere = (reader: CacheReader, holdsFor: (database: CoreDatabase) => boolean): readonly string[] =>
  reader
    .list(databases)
    .filter(holdsFor)
    .map(({ metadata }) => metadata.name);

const inProject = (reader: CacheReader, project: string) => namesWhere(reader, ({ spec }) => spec.project === project);
const awaitsSomething = (database: CoreDatabase) => phaseOf(database) === 'Provisioning';

const secretUnheard: PassOutcome = {
  is: 'failed',
  counts: 'waiting',
  kind: 'SecretUnheard',
  says: open('the Secret of the password is there, and the cache does not know it yet'),
};

const retriesOf = (pieces: Pieces): AnyLifecycle =>
  provisionRetryOf<CoreDatabase>({
    rowOf: 'anyKind',
    outcome: (database, reader, moment) => {
      const { now, failure } = moment;
      const gate = gateIn(moment);
      const outcome = databaseOutcome(databaseSeen(database, { reader, pieces, gate, now, failure }));
      const givesUp = outcome.is === 'failed' && outcome.counts === 'permanent';
      // A Secret that the cache lacks may exist, and giving up is final.
      return givesUp && lacksPassword(specOf(database, gate), reader) ? unasked : known(outcome);
    },
    ask: (database, reader) => {
      const gate = gateOf(database);
      return Effect.gen(function* () {
        if (yield* hasPassword(specOf(database, gate))) return known(secretUnheard);
        const now = yield* Clock.currentTimeMillis;
        return known(databaseOutcome(databaseSeen(database, { reader, pieces, gate, now, failure: null })));
      }).pipe(Effect.catch((error) => Effect.succeed(unknown(why(error)))));
    },
    deploys: {
      isNew: (database) => revisionOf(database) !== (database.status?.deployRevision ?? ''),
      takeUp: (database) => ({ deployRevision: revisionOf(database) }),
    },
  });

/** Ready, by the states that the machines reached. */
function derive(database: CoreDatabase, { reader, now, failure }: Deriving, pieces: Pieces) {
  const gate = gateOf(database);
  const around = databaseSeen(database, { reader, pieces, gate, now: msOf(now), failure });
  const standing = {
    ...around,
    retrying: isRetried(database),
    gaveUp: gaveUpOf(database, () => hindranceIn(around)?.message(around)),
  };
  return {
    targetNamespace: namespaceOf(specOf(database, gate)),
    conditions: withCondition(database, readOut('Ready', databaseReady, standing), now),
  };
}
