import type { BuildSummary, Deployment, Summary } from '../../../../api.ts';
import { countedSome } from '../../../model/deletion.ts';
import { isWebAddress } from '../../../model/url.ts';

interface Held {
  readonly builds: readonly BuildSummary[];
  readonly deployments: readonly Deployment[];
}

/** What goes with a service. */
export const serviceGoes = ({ url }: Summary, { builds, deployments }: Held): readonly string[] => [
  'every copy of it, with its variables and secrets',
  ...(isWebAddress(url) ? [`its address ${url}`] : []),
  ...countedSome(
    'build',
    builds.map(({ name }) => name),
  ),
  ...countedSome(
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
export const deletionHelp = 'Deleting a service ends its copies and removes its builds and deployments.';
