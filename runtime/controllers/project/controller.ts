import { Effect } from 'effect';
import { coreProject, type CoreProject } from '../../../crds/coreProject.ts';
import { key } from '../../../crds/names.ts';
import { withCondition } from '../../../rules/condition.ts';
import { deletionWithdrawn } from '../../../rules/project/deletion.ts';
import { secretsOf } from '../../../rules/project/secrets.ts';
import { contentRemaining, type Remaining, remainingSaid } from '../../../rules/project/remaining.ts';
import { verdictOf } from '../../../rules/verdict.ts';
import { joined } from '../../../rules/words.ts';
import { projects } from '../../services/cluster/kinds.ts';
import { type BackupStorages, backupStorages } from '../cloudAccess/storage.ts';
import { ownedSecrets } from '../../owned/ownedSecrets.ts';
import { projectCauses, type ProjectVerdicts, projectVerdicts } from './causes.ts';
import { type ProjectStorage, projectStorage } from './ask/backupStorage.ts';
import { makeSender, type Sender } from '../../services/webhooks/sender.ts';
import { announcedWatches, announcementsEnd, announcing } from './ensures/announcements.ts';
import { deliveriesSent, deliveriesWith } from './lifecycles/webhookDelivery/lifecycle.ts';
import { askedDeletions } from './ensures/environmentRemoval.ts';
import { endedEnvironments, sweepNamespaces } from './controller/late.ts';
import { lateCopiesGone } from './ensures/lateCopies.ts';
import { projectResources } from './owned.ts';
import { pullRequestsFollowed } from './ensures/pullRequestCheck.ts';
import { pullRequestsWith } from './lifecycles/pullRequestEnvironment/lifecycle.ts';
import { type HasTokens, release } from './actions/release.ts';
import { uncheckedLogged } from './ensures/unchecked.ts';
import { type Controller, controller, type Deriving } from '../../contract/controller.ts';
import { readyOf, retriesOf } from './lifecycle.ts';
import { watches } from './controller/watches.ts';
import { missingLogged, reportOverwritten } from './ensures.ts';

/** Options of the controller of projects. */
export interface ProjectHosting {
  readonly hasTokens?: HasTokens | undefined;
  readonly storages?: BackupStorages;
  readonly sender?: Sender | undefined;
  /** The base URL of repositories. */
  readonly gitUrl?: string;
}

/** CoreProject: maintains a namespace for each environment, with its network policies, and reports the progress. */
export function projectController({
  hasTokens = () => false,
  storages = backupStorages(),
  sender = makeSender('alone'),
  gitUrl = '',
}: ProjectHosting = {}): Controller {
  const ownedResources = projectResources();
  const storage = projectStorage(storages);
  const verdicts = projectVerdicts(ownedResources);
  const beside = ownedSecrets<CoreProject>({
    kind: coreProject,
    namesOf: ({ metadata }) => secretsOf(metadata.name),
    isOf: () => true,
  });
  return controller<CoreProject>({
    resource: projects,
    lifecycles: [retriesOf(ownedResources), readyOf(ownedResources)],
    entries: [deliveriesWith(sender), pullRequestsWith(gitUrl)],
    onRequest: sender.onNews,
    watches: [...ownedResources.watches, ...announcedWatches, ...watches],
    derive: (project, deriving) => ({
      ...derive(project, deriving, { verdicts, storage }),
      ...announcing(project, deriving.reader, deriving.now),
    }),
    causes: projectCauses({ verdicts, storage }),
    defaults: deletionWithdrawn,
    ensures: {
      contested: reportOverwritten(ownedResources),
      settled: ownedResources.settled,
      backupStorage: storage.ensure,
      missingLogged: missingLogged(),
      askedDeletions: askedDeletions(endedEnvironments()),
      uncheckedLogged: uncheckedLogged(),
      announcementsEnd,
      deliveriesSent: deliveriesSent(sender),
      pullRequestsFollowed: pullRequestsFollowed(),
      lateCopiesGone,
      secretsOwned: beside.ensure,
    },
    finalizer: { name: key('project'), release: release(ownedResources, beside.release, hasTokens) },
    onMissing: (name, context) => Effect.andThen(ownedResources.sweep(name, context), sweepNamespaces(name, context)),
  });
}

interface Derived {
  readonly verdicts: ProjectVerdicts;
  readonly storage: ProjectStorage;
}

function derive(project: CoreProject, deriving: Deriving, { verdicts, storage }: Derived) {
  const { now } = deriving;
  const { facts, row } = verdicts(project, deriving);
  const known = { ...project, status: { ...project.status, conditions: storage.conditions(project, now) } };
  const conditions = withCondition(known, verdictOf('Ready', row, facts), now);
  return { conditions: withRemaining({ ...project, status: { ...project.status, conditions } }, facts.remaining, now) };
}

/** Adds what a deletion waits for as a separate condition, because Ready is about the live project. */
function withRemaining(project: CoreProject, remaining: readonly Remaining[], now: string) {
  const others = (project.status?.conditions ?? []).filter(({ type }) => type !== contentRemaining);
  if (remaining.length === 0) return others;
  const { text: message, params } = joined(remainingSaid(remaining), '; ');
  return withCondition(project, { type: contentRemaining, status: 'True', reason: 'Deleting', message, params }, now);
}
