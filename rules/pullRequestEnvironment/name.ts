import { type PullRequestFacts, type PullRequestLimits, pullRequestLimits } from './facts.ts';

export type EnvironmentName = { readonly is: 'short' | 'long'; readonly name: string } | { readonly is: 'none' };

const nameEnd = /-+$/;

/** The last part of `owner/name`, with `-` for characters that a name may not contain. */
const slugOf = (repository: string) =>
  repository
    .slice(repository.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .replace(/^-+/, '');

/** The name of a pull request's environment: `pr-<number>`, or with the repository when that name is taken. */
export function environmentName(
  {
    number,
    repository,
    project,
    environments,
  }: Pick<PullRequestFacts, 'number' | 'repository' | 'project' | 'environments'>,
  limits: PullRequestLimits = pullRequestLimits,
): EnvironmentName {
  const maxLength = Math.max(limits.nameLength - `${project}-`.length, 0);
  const short = `pr-${number}`;
  if (short.length > maxLength) return { is: 'none' };
  if (!environments.includes(short)) return { is: 'short', name: short };
  const long = `${short}-${slugOf(repository)}`.slice(0, maxLength).replace(nameEnd, '');
  return long === short || environments.includes(long) ? { is: 'none' } : { is: 'long', name: long };
}
