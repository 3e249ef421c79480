import { Effect } from 'effect';
import type { CoreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { label } from '../../../crds/names.ts';
import { withCondition } from '../../../rules/condition.ts';
import { releasedName } from '../../../rules/database/charts.ts';
import { type DatabaseImages, databaseImages } from '../../../rules/database/images.ts';
import { known } from '../../../rules/fact.ts';
import { logicalHindranceIn } from '../../../rules/logicalDatabase/hindrance.ts';
import { logicalDatabaseOutcome, logicalDatabaseReady } from '../../../rules/logicalDatabase/ready.ts';
import { readOut } from '../../../rules/verdict.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { clusters, databases, logicalDatabases, projects } from '../../services/cluster/kinds.ts';
import { byCluster, byProject } from '../../services/cluster/indexes.ts';
import { dataOf, everyChange, exceptHistory, settingsOf } from '../../contract/reads.ts';
import type { AnyLifecycle } from '../../contract/lifecycle.ts';
import { owned } from '../../owned/owned.ts';
import { chartClaims, instanceLabel, postgresClusters } from '../../owned/addonKinds.ts';
import { gaveUpOf, isRetried, reapplied } from '../provisioned/provisioning.ts';
import { provisionRetryOf } from '../provisioned/retry.ts';
import { isDroppedWithIt, logicalFinalizer } from './controller/finalizer.ts';
import { logicalJobs } from './owned/jobs.ts';
import { loginIn } from './owned/login.ts';
import { type LogicalPieces, logicalPieces, secretsOf } from './owned.ts';
import { logicalPhase, logicalProvisioned } from './lifecycle.ts';
import { placedOn } from './observe/server.ts';
import { sweepLogical } from './controller/sweep.ts';
import { logicalSeen, onServer } from './observe.ts';
import { cachedOnly, type Controller, controller, type Deriving, watching } from '../../contract/controller.ts';
import { namesBy, namesByEach } from '../../cache/names.ts';

/** The logical databases on the server that an object is part of. */
const onServerOf = ({ metadata: { labels } }: KubeObject, reader: CacheReader): readonly string[] =>
  labels?.[label.kind] === 'CoreDatabase' ? namesOn(labels[label.name] ?? '', reader) : [];

/** CoreLogicalDatabase: creates a database, and a login for it on the shared server, by Jobs on the server. */
export function logicalDatabaseController(images: DatabaseImages = databaseImages): Controller {
  const pieces = logicalPieces();
  return controller<CoreLogicalDatabase>({
    resource: logicalDatabases,
    lifecycles: [retriesOf(pieces), logicalProvisioned(pieces, images)],
    watches: [
      ...pieces.watches,
      // How old the rights in an environment are.
      cachedOnly(owned.roleBindings),
      watching({
        resource: databases,
        reads: exceptHistory,
        concerns: ({ metadata }, reader) => namesOn(metadata.name, reader),
      }),
      watching({
        resource: projects,
        reads: settingsOf<CoreProject>('environments', 'clusterRef', 'region', 'requiredTags'),
        concerns: ({ metadata }, reader) => namesBy(reader, logicalDatabases, byProject, metadata.name),
      }),
      // The default region is that of a project without one.
      watching({
        resource: clusters,
        reads: ({ spec }) => spec.defaultRegion,
        concerns: ({ metadata }, reader) =>
          namesByEach(reader, logicalDatabases, byProject, namesBy(reader, projects, byCluster, metadata.name)),
      }),
      watching({ resource: owned.secrets, reads: dataOf, concerns: onServerOf }),
      watching({ resource: postgresClusters, reads: everyChange, concerns: onServerOf }),
      watching({
        resource: chartClaims,
        reads: everyChange,
        concerns: ({ metadata }, reader) =>
          releasedName(metadata.labels?.[instanceLabel] ?? '', 'MySQL').flatMap((server) => namesOn(server, reader)),
      }),
      watching({
        resource: logicalJobs,
        reads: everyChange,
        concerns: ({ metadata: { labels } }) => [labels?.[label.logicalDatabase] ?? ''],
      }),
    ],
    derive: (logical, deriving) => derive(logical, deriving, pieces),
    ensures: {
      contested: reapplied({
        isOverwritten: (logical, reader) => pieces.diff(logical, reader).overwritten.length > 0,
        apply: (logical, reader) => {
          const placed = placedOn(logical, reader);
          const login = placed && loginIn(logical, placed, reader);
          return placed && login && pieces.reconcile(logical, reader, secretsOf(logical, placed, login));
        },
      }),
      settled: pieces.settled,
    },
    absent: sweepLogical,
    finalizer: { name: logicalFinalizer, isWanted: isDroppedWithIt },
  });
}

const namesOn = (server: string, reader: CacheReader): readonly string[] =>
  onServer(server, reader).map(({ metadata }) => metadata.name);

const retriesOf = (pieces: LogicalPieces): AnyLifecycle =>
  provisionRetryOf<CoreLogicalDatabase>({
    rowOf: 'anyKind',
    outcome: (logical, reader, { failure }) =>
      known(logicalDatabaseOutcome(logicalSeen(logical, { reader, pieces, failure }))),
    ask: (logical, reader) =>
      Effect.sync(() => known(logicalDatabaseOutcome(logicalSeen(logical, { reader, pieces, failure: null })))),
  });

/** Ready, by the states that the machines reached. */
function derive(logical: CoreLogicalDatabase, { reader, now, failure }: Deriving, pieces: LogicalPieces) {
  const seen = logicalSeen(logical, { reader, pieces, failure });
  const standing = {
    ...seen,
    leaving: logicalPhase(logical) === 'Deleting' ? ('deletion' as const) : null,
    retrying: isRetried(logical),
    gaveUp: gaveUpOf(logical, () => logicalHindranceIn(seen)?.message(seen)),
  };
  return { conditions: withCondition(logical, readOut('Ready', logicalDatabaseReady, standing), now) };
}
