import type { Pieces } from './owned.ts';
import { Effect } from 'effect';
import { coreProject, type CoreProject } from '../../../crds/coreProject.ts';
import { key, label } from '../../../crds/names.ts';
import { withCondition } from '../../../rules/condition.ts';
import { deletionWithdrawn, environmentsGoing } from '../../../rules/project/deletion.ts';
import { projectsOfSecret, secretsOf } from '../../../rules/project/secrets.ts';
import { contentRemaining, type Remaining, remainingSaid } from '../../../rules/project/remaining.ts';
import { projectReadyVerdicts } from '../../../rules/projectReady/ready.ts';
import { readOut } from '../../../rules/verdict.ts';
import { joined } from '../../../rules/words.ts';
import {
  any,
  byBackupKeys,
  byCluster,
  byGoing,
  byNamespace,
  byOwnKeys,
  byStorage,
  byVariable,
} from '../../services/cluster/indexes.ts';
import { cloudConnections, clusters, projects } from '../../services/cluster/kinds.ts';
import { everyChange, specRead, standingOf } from '../../contract/reads.ts';
import { namespaces, secrets } from '../../services/cluster/resources.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { type BackupStorages, backupStorages } from '../cloudAccess/storage.ts';
import { ownedSecrets } from '../../owned/ownedSecrets.ts';
import { type ProjectStorage, projectStorage } from './ask/backupStorage.ts';
import { makeSender, type Sender } from '../../services/webhooks/sender.ts';
import { announcedWatches, announcementsEnd, announcing } from './ensures/announcements.ts';
import { environmentContents, projectContents } from './observe/contents.ts';
import { deliveriesSent, deliveriesWith } from './lifecycles/webhookDelivery/lifecycle.ts';
import { askedDeletions } from './ensures/environmentRemoval.ts';
import { surroundingsOf } from './observe.ts';
import { endedEnvironments, sweepNamespaces } from './controller/late.ts';
import { copiedKinds, lateCopiesGone, lateCopyOf } from './ensures/lateCopies.ts';
import { environmentPiecesOwned } from './owned.ts';
import { pullRequestsFollowed } from './ensures/pullRequestCheck.ts';
import { pullRequestsWith } from './lifecycles/pullRequestEnvironment/lifecycle.ts';
import { type HasTokens, release } from './actions/release.ts';
import { uncheckedLogged } from './ensures/unchecked.ts';
import { type Controller, controller, type Deriving, watching } from '../../contract/controller.ts';
import { namesBy, namesByEach } from '../../cache/names.ts';
import { phaseOf, readyOf, retriesOf } from './lifecycle.ts';
import { contested, logMissing } from './ensures.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/** What the controller of projects needs of the process that runs it. */
export interface ProjectHosting {
  readonly hasTokens?: HasTokens | undefined;
  readonly storages?: BackupStorages;
  readonly sender?: Sender | undefined;
  /** Where repositories are cloned from. */
  readonly gitUrl?: string;
}

/** CoreProject: keeps a namespace for each environment, with what protects it, and reports the progress. */
export function projectController({
  hasTokens = () => false,
  storages = backupStorages(),
  sender = makeSender('alone'),
  gitUrl = '',
}: ProjectHosting = {}): Controller {
  const pieces = environmentPiecesOwned();
  const storage = projectStorage(storages);
  const beside = ownedSecrets<CoreProject>({
    kind: coreProject,
    namesOf: ({ metadata }) => secretsOf(metadata.name),
    isOf: () => true,
  });
  return controller<CoreProject>({
    resource: projects,
    lifecycles: [retriesOf(pieces), readyOf(pieces)],
    entries: [deliveriesWith(sender), pullRequestsWith(gitUrl)],
    asks: sender.onNews,
    watches: [
      ...pieces.watches,
      ...announcedWatches,
      watching({
        resource: namespaces,
        reads: everyChange,
        concerns: ({ metadata }, reader) => projectsOf(reader, metadata.labels?.[label.project] ?? '', metadata.name),
      }),
      watching({
        resource: clusters,
        reads: specRead,
        concerns: ({ metadata }, reader) => namesBy(reader, projects, byCluster, metadata.name),
      }),
      watching({
        resource: secrets,
        reads: everyChange,
        concerns: ({ metadata: { name } }, reader) => [
          ...namesBy(reader, projects, byBackupKeys, name),
          ...namesBy(reader, projects, byVariable, name),
          ...namesByEach(reader, projects, byStorage, namesBy(reader, cloudConnections, byOwnKeys, name)),
          ...projectsOfSecret(name),
          // The tokens of a project are kept in a Secret, too.
          ...namesBy(reader, projects, byGoing, any),
        ],
      }),
      watching({
        resource: cloudConnections,
        reads: specRead,
        concerns: ({ metadata }, reader) => namesBy(reader, projects, byStorage, metadata.name),
      }),
      ...copiedKinds.map((resource) =>
        watching({
          resource,
          reads: ({ metadata: { annotations, deletionTimestamp } }) => [annotations, deletionTimestamp],
          concerns: lateCopyOf,
        }),
      ),
      // Only a project waits for them that is being deleted, or of which an environment is.
      ...[...environmentContents, ...projectContents].map(({ resource }) =>
        watching({
          resource,
          reads: ({ spec, metadata }) => [spec.project, spec.environment, standingOf({ metadata })],
          concerns: ({ spec }, reader) => {
            const project = reader.get(projects, spec.project ?? '');
            return project && isAwaiting(project) ? [project.metadata.name] : [];
          },
        }),
      ),
    ],
    derive: (project, deriving) => ({
      ...derive(project, deriving, { pieces, storage }),
      ...announcing(project, deriving.reader, deriving.now),
    }),
    adopt: deletionWithdrawn,
    ensures: {
      contested: contested(pieces),
      settled: pieces.settled,
      backupStorage: storage.ensure,
      missingLogged: { run: logMissing },
      askedDeletions: askedDeletions(endedEnvironments()),
      uncheckedLogged: uncheckedLogged(),
      announcementsEnd,
      deliveriesSent: deliveriesSent(sender),
      pullRequestsFollowed: pullRequestsFollowed(),
      lateCopiesGone,
      secretsOwned: beside.ensure,
    },
    finalizer: { name: key('project'), release: release(pieces, beside.release, hasTokens) },
    absent: (name, context) => Effect.andThen(pieces.sweep(name, context), sweepNamespaces(name, context)),
  });
}

/** Whether the environment of a pull request is being made or removed. */
const isUnderWay = ({ status }: CoreProject): boolean =>
  (status?.pullRequests ?? []).some(({ openedAt, closedAt }) => openedAt === undefined || closedAt !== undefined);

/** Whether it waits for what it, or one of its environments, holds. */
const isAwaiting = (project: CoreProject): boolean =>
  isDeleting(project) || environmentsGoing(project).length > 0 || isUnderWay(project);

/** The project that a namespace is labelled for, there or not, and those with an environment of that namespace. */
const projectsOf = (reader: CacheReader, labelled: string, namespace: string): readonly string[] => [
  ...(labelled === '' ? [] : [labelled]),
  ...namesBy(reader, projects, byNamespace, namespace),
];

interface Derived {
  readonly pieces: Pieces;
  readonly storage: ProjectStorage;
}

function derive(project: CoreProject, { reader, now, failure }: Deriving, { pieces, storage }: Derived) {
  const found = surroundingsOf(project, { reader, pieces, failure });
  const verdict = readOut('Ready', projectReadyVerdicts, { ...found, reached: phaseOf(project) });
  const known = { ...project, status: { ...project.status, conditions: storage.conditions(project, now) } };
  const conditions = withCondition(known, verdict, now);
  return { conditions: withRemaining({ ...project, status: { ...project.status, conditions } }, found.remaining, now) };
}

/** What a deletion waits for is a condition of its own, because Ready is about the live project. */
function withRemaining(project: CoreProject, remaining: readonly Remaining[], now: string) {
  const others = (project.status?.conditions ?? []).filter(({ type }) => type !== contentRemaining);
  if (remaining.length === 0) return others;
  const { text: message, params } = joined(remainingSaid(remaining), '; ');
  return withCondition(project, { type: contentRemaining, status: 'True', reason: 'Deleting', message, params }, now);
}
