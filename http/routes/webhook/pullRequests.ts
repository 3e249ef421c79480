import { Effect } from 'effect';
import type { CoreProject, PullRequestEntry } from '../../../crds/coreProject.ts';
import { repositoryKey, repositoryName } from '../../../rules/build/repository.ts';
import type { HostEvent } from '../../../rules/pullRequestEnvironment/facts.ts';
import { environmentName } from '../../../rules/pullRequestEnvironment/name.ts';
import { projectSeen } from '../../../runtime/controllers/project/read.ts';
import { byPullRequest, byRepository } from '../../../runtime/services/cluster/indexes.ts';
import { apps, projects } from '../../../runtime/services/cluster/kinds.ts';
import type { Undecided } from '../../../runtime/command/command.ts';
import type { ServerContext } from '../../context.ts';
import { ofEntry, placedOn } from '../../views/placed.ts';

/** What an event of a pull request came to in one project. */
export interface PullRequestNote {
  readonly project: string;
  readonly environment: string;
  readonly note: string;
}

/** The number of projects that answer in parallel. */
const atATime = 8;

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const entryIn = ({ status }: CoreProject, event: HostEvent): PullRequestEntry | undefined =>
  status?.pullRequests?.find(({ number, repository }) => number === event.number && same(repository, event.repository));

/** Delivers the event of a pull request to the projects of its repository; each decides for itself. */
export function pullRequestEvents({ operator, settings }: ServerContext) {
  const { caches } = operator;
  const { gitUrl } = settings;

  /** The projects that have an environment of it, or a service of its repository. */
  const concerned = (event: HostEvent): readonly CoreProject[] => {
    const key = repositoryKey(event.repository);
    const building = caches
      .indexed(apps, byRepository.name, key)
      .filter(({ spec: { source } }) =>
        same(repositoryName(source.git?.repository ?? '', gitUrl) ?? '', event.repository),
      )
      .flatMap(({ spec }) => caches.get(projects, spec.project) ?? []);
    const having = caches
      .indexed(projects, byPullRequest.name, key)
      .filter((project) => entryIn(project, event) !== undefined);
    return [...new Set([...building, ...having])];
  };

  /** The environment that it has or would have; the rules say why it gets none. */
  function environmentOf(project: CoreProject, event: HostEvent): string {
    const { number, repository } = event;
    const name = environmentName({ ...projectSeen(project, caches, gitUrl), number, repository });
    return entryIn(project, event)?.environment ?? (name.is === 'none' ? `pr-${number}` : name.name);
  }

  const answerOf = (project: CoreProject, event: HostEvent): Effect.Effect<readonly PullRequestNote[], Undecided> => {
    const placed = placedOn(operator, settings.machines, { kind: projects.kind, machine: 'pullRequestEnvironment' });
    const { name } = project.metadata;
    const environment = environmentOf(project, event);
    const { controller, lifecycle } = ofEntry(placed, environment) ?? placed;
    return operator
      .decide(controller, lifecycle, name, { asked: event, by: 'webhook' })
      .pipe(
        Effect.map(({ object, state, text: note }) =>
          object === null ? [] : [{ project: name, environment: state === '(none)' ? '' : environment, note }],
        ),
      );
  };

  return (event: HostEvent): Effect.Effect<readonly PullRequestNote[], Undecided> =>
    Effect.forEach(concerned(event), (project) => answerOf(project, event), { concurrency: atATime }).pipe(
      Effect.map((notes) => notes.flat().toSorted((a, b) => (a.project < b.project ? -1 : 1))),
    );
}
