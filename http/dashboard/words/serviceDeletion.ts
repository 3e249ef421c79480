import type { BuildSummary, Deployment, Summary } from '../../api.ts';
import { counted } from './deletion.ts';
import { isWebAddress } from './url.ts';

interface Held {
  readonly builds: readonly BuildSummary[];
  readonly deployments: readonly Deployment[];
}

const some = (one: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [counted(one, names)];

/** What goes with a service. */
export const serviceGoes = ({ url }: Summary, { builds, deployments }: Held): readonly string[] => [
  'every copy of it, with its variables and secrets',
  ...(isWebAddress(url) ? [`its address ${url}`] : []),
  ...some(
    'build',
    builds.map(({ name }) => name),
  ),
  ...some(
    'deployment',
    deployments.map(({ id }) => id),
  ),
];

/** What outlives it. */
export const serviceStays = [
  'images in the registry',
  'databases and Secrets that it reads',
  'its history, for 30 days',
] as const;
