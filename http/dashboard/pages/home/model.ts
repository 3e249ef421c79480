import type { EnvironmentCounts, ProjectCounts } from '../../model/project.ts';

/** The environments of a project as home shows them: those of pull requests are one. */
export interface EnvironmentsShown {
  readonly own: readonly EnvironmentCounts[];
  readonly pullRequests: readonly EnvironmentCounts[];
}

const isOfPullRequest = ({ name }: EnvironmentCounts): boolean => /^pr-\d+(-|$)/.test(name);

export const environmentsShown = ({ environments }: ProjectCounts): EnvironmentsShown => ({
  own: environments.filter((one) => !isOfPullRequest(one)),
  pullRequests: environments.filter(isOfPullRequest),
});

/** Several environments counted as one. */
export const together = (name: string, all: readonly EnvironmentCounts[]): EnvironmentCounts => ({
  name,
  total: sum(all, 'total'),
  failed: sum(all, 'failed'),
  moving: sum(all, 'moving'),
  waiting: sum(all, 'waiting'),
});

const sum = (all: readonly EnvironmentCounts[], field: 'total' | 'failed' | 'moving' | 'waiting'): number =>
  all.reduce((so, one) => so + one[field], 0);

/** Projects whose name, shown or stored, or one of whose environments contains every word of a filter. */
export function projectsMatching(projects: readonly ProjectCounts[], filter: string): readonly ProjectCounts[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const textOf = ({ name, displayName, environments }: ProjectCounts) =>
    [name, displayName, ...environments.map((one) => one.name)].join(' ').toLowerCase();
  return projects.filter((project) => words.every((word) => textOf(project).includes(word)));
}

/** Whether another project is shown by the same name, so that its id is shown as well. */
export const isNamesake = ({ name, displayName }: ProjectCounts, projects: readonly ProjectCounts[]): boolean =>
  projects.some((other) => other.name !== name && other.displayName === displayName);
