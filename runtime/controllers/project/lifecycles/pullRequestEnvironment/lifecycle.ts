import type { CoreProject, PullRequestEntry } from '../../../../../crds/coreProject.ts';
import type { PullRequestEnvironmentEvent, PullRequestEnvironmentState } from '../../../../../machines/names.ts';
import { pullRequestEnvironment as machine } from '../../../../../machines/pullRequestEnvironment.ts';
import { tables } from '../../../../../machines/tables.ts';
import { repositoryName } from '../../../../../rules/build/repository.ts';
import { byState } from '../../../../../rules/engine.ts';
import { isLinked } from '../../../../../rules/project/linked.ts';
import { baseOf } from '../../../../../rules/pullRequestEnvironment/copies.ts';
import { pullRequestEnvironmentEvents } from '../../../../../rules/pullRequestEnvironment/events.ts';
import type { PullRequestFacts, HostEvent } from '../../../../../rules/pullRequestEnvironment/facts.ts';
import { pullRequestState } from '../../../../../rules/pullRequestEnvironment/state.ts';
import { isoTime } from '../../../../../rules/time.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { type AnyEntries, entries, type Observing } from '../../../../contract/list.ts';
import { byProject } from '../../../../services/cluster/indexes.ts';
import { apps, connections } from '../../../../services/cluster/kinds.ts';
import type { Acting } from '../../../../contract/lifecycle.ts';
import { runningApp } from '../../../../../rules/service/deployed.ts';
import { environmentCopied, environmentGone, isCopied, isRemoved } from './ensures.ts';

type State = PullRequestEnvironmentState;
type Seen = Omit<PullRequestFacts, 'asked'>;

const hostEventOf = (asked: unknown): HostEvent | null =>
  typeof asked === 'object' && asked !== null && 'is' in asked && asked.is === 'hostEvent'
    ? (asked as HostEvent)
    : null;

/** The repository services of the base environment, each with the branch it builds. */
const baseServices = (project: CoreProject, reader: CacheReader, gitUrl: string): Seen['baseServices'] =>
  reader
    .indexed(apps, byProject.name, project.metadata.name)
    .filter(({ spec }) => spec.environment === baseOf(project))
    .flatMap((app) => {
      const { git } = runningApp(app)?.spec.source ?? {};
      const repository = git ? repositoryName(git.repository, gitUrl) : null;
      return repository === null ? [] : [{ repository, branch: git?.branch ?? '' }];
    });

/** The facts of the project of a pull request. */
export function projectSeen(
  project: CoreProject,
  reader: CacheReader,
  gitUrl: string,
): Pick<Seen, 'project' | 'enabled' | 'link' | 'baseServices' | 'maxOpen' | 'open' | 'environments'> {
  const { spec, status, metadata } = project;
  const connection = reader.get(connections, spec.gitConnectionRef?.name ?? '');
  return {
    project: metadata.name,
    enabled: spec.prEnvironments?.enabled ?? false,
    link: isLinked(project, connection) ? 'linked' : 'none',
    baseServices: baseServices(project, reader, gitUrl),
    maxOpen: spec.prEnvironments?.maxOpen ?? null,
    open: status?.pullRequests ?? [],
    environments: spec.environments,
  };
}

/** Whether an event came from the application installation that the project is linked to. */
const isThrough = ({ spec }: CoreProject, reader: CacheReader, { installation }: HostEvent): boolean => {
  const linked = reader.get(connections, spec.gitConnectionRef?.name ?? '')?.spec.installationID;
  return installation !== null && (linked === undefined || linked === installation);
};

const observe =
  (gitUrl: string) =>
  ({ object: project, entry, reader, input: reconcileInput }: Observing<CoreProject, PullRequestEntry>): Seen => {
    const event = hostEventOf(reconcileInput.asked);
    const { number, repository, targetBranch = '' } = event ?? entry ?? { number: 0, repository: '' };
    return {
      now: reconcileInput.now,
      event: event?.event ?? 'none',
      throughApplication: event === null || isThrough(project, reader, event),
      number,
      repository,
      targetBranch,
      headRepository: event?.headRepository ?? null,
      draft: event?.draft ?? false,
      ...projectSeen(project, reader, gitUrl),
      copied: entry !== undefined && isCopied(project, entry, reader),
      removed: entry !== undefined && isRemoved(project, entry, reader),
    };
  };

/** The entry of a pull request, by the event. */
function entryOf({ facts }: Acting<CoreProject, PullRequestFacts>) {
  const {
    number,
    repository,
    branch = '',
    head,
    targetBranch,
    url,
  } = hostEventOf(facts.asked) ?? (facts as Partial<HostEvent>);
  return { number, repository, branch, targetBranch, ...(head ? { head } : {}), ...(url ? { url } : {}) };
}

/** The pull request environments of a project, existing or requested: each entry is an instance. */
export const pullRequestsWith = (gitUrl: string): AnyEntries =>
  entries<CoreProject, PullRequestEntry, PullRequestFacts, State, PullRequestEnvironmentEvent['type']>({
    name: 'pullRequestEnvironment',
    machine,
    ...tables.pullRequestEnvironment,
    rules: byState(pullRequestEnvironmentEvents),
    list: 'pullRequests',
    key: 'environment',
    awaited: () => [],
    answered: () => ({}),
    entered: (list, entry) => [...list, entry],
    columns: ({ number }) => ({ pullRequest: String(number) }),
    read: pullRequestState,
    write: () => ({}),
    observe: observe(gitUrl),
    actions: {
      recordEntry: { patch: entryOf },
      recordOpen: { patch: ({ at }) => ({ openedAt: at }) },
      recordClosing: { patch: ({ facts }) => ({ closedAt: isoTime(facts.now) }) },
      rebuildCopies: {
        patch: (acting) => {
          const { head } = entryOf(acting);
          return head ? { head } : {};
        },
      },
      removeEntry: {},
    },
    ensures: (key) => ({
      environmentCopied: environmentCopied(key, gitUrl),
      environmentRemoved: environmentGone(key),
    }),
  });
