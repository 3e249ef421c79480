import type { EnvironmentCounts as Counted, Read, Summary } from '../../api.ts';
import type { Place } from '../routes.ts';
import { programName } from './command.ts';
import { detailOf } from './details.ts';
import { isDraft } from './gate.ts';
import { lookOf } from './state.ts';

/** What an environment of a project holds. */
export interface EnvironmentCounts {
  readonly name: string;
  readonly total: number;
  readonly failed: number;
  readonly moving: number;
  /** Resources with changes that wait for a deploy, drafts included. */
  readonly waiting: number;
}

/** A project with what its environments hold. */
export interface ProjectCounts {
  readonly name: string;
  readonly displayName: string;
  readonly environments: readonly EnvironmentCounts[];
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** The names of a project's environments, in its own order. */
export const environmentsOf = ({ details }: Summary): readonly string[] => texts(details['environments']);

/** Whether saved settings of a resource wait for a deploy, or a draft as a whole; one that goes waits for none. */
export const waits = (resource: Summary): boolean =>
  resource.state !== 'deleting' && (isDraft(resource) || texts(resource.details['pending']).length > 0);

const inTone = (states: Counted['states'], tone: string): number =>
  sum(Object.entries(states).flatMap(([state, count]) => (lookOf(state).tone === tone ? [count] : [])));

const sum = (counts: readonly number[]): number => counts.reduce((so, count) => so + count, 0);

const countsIn = (name: string, { states, waiting }: Pick<Counted, 'states' | 'waiting'>): EnvironmentCounts => ({
  name,
  total: sum(Object.values(states)),
  failed: inTone(states, 'bad'),
  moving: inTone(states, 'waiting'),
  waiting,
});

const placeKey = (project: string, environment: string): string => `${project} ${environment}`;

/** Every project with its environments, by its displayed name; what the server counts nowhere is empty. */
export function projectCounts(projects: readonly Summary[], counted: readonly Counted[]): readonly ProjectCounts[] {
  const byPlace = new Map(counted.map((one) => [placeKey(one.project, one.environment), one]));
  return projects
    .map((project) => ({
      name: project.name,
      displayName: project.displayName,
      environments: environmentsOf(project).map((environment) =>
        countsIn(environment, byPlace.get(placeKey(project.name, environment)) ?? { states: {}, waiting: 0 }),
      ),
    }))
    .toSorted((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

/** Where a project runs: in its own region, else in the default one of its cluster. */
export function effectiveRegion(
  project: Summary,
  clusters: readonly Pick<Read, 'resource'>[],
  own = detailOf(project, 'region'),
): string {
  const cluster = clusters.find(({ resource }) => resource.name === detailOf(project, 'cluster'));
  return own || (cluster ? detailOf(cluster.resource, 'defaultRegion') : '');
}

/** What people call a project; its name while the projects are not read. */
export const projectWord = (name: string, projects: readonly Summary[] = []): string =>
  projects.find((project) => project.name === name)?.displayName ?? name;

const inPlace = ({ project, environment }: Place): string => `--project ${project} --environment ${environment}`;

/** The command that shows the services of an environment. */
export const statusCommand = (place: Place): string => `${programName} status ${inPlace(place)}`;

/** The command that deploys everything that waits in an environment. */
export const deployCommand = (place: Place): string => `${programName} deploy ${inPlace(place)} --wait`;
