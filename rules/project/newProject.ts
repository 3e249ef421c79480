import { type CoreProject, coreProject } from '../../crds/coreProject.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';

export const firstEnvironment = 'production';

/** A project's id: `proj-` and 8 hex digits. */
export const projectId = (random: Uint8Array): string =>
  `proj-${Array.from(random.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;

const qualities = 'amber bold brisk calm clear crisp eager early fair fleet glad keen lucid mellow quiet swift'.split(
  ' ',
);
const things = 'aspen brook cedar cove delta ember fjord grove harbor lark maple mesa pine reef ridge willow'.split(
  ' ',
);

/** A random name: two words and a number. */
export function randomSlug([quality = 0, thing = 0, number = 0]: Uint8Array): string {
  const one = (words: readonly string[], by: number) => words[by % words.length] ?? '';
  return `${one(qualities, quality)}-${one(things, thing)}-${number}`;
}

/** A name as it is stored: lowercase letters, digits and single hyphens; empty when nothing is left. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, maxSlug)
    .replace(/-+$/, '');

const maxSlug = 63;

export interface ProjectAsked {
  readonly id: string;
  readonly displayName: string;
  readonly cluster: string;
  readonly region?: string;
}

/** A new project with one environment (001 Dashboard behaviors). */
export const newProject = ({ id, displayName, cluster, region = '' }: ProjectAsked): CoreProject => ({
  ...typeMeta(coreProject),
  metadata: { name: id, namespace: systemNamespace },
  spec: {
    displayName,
    clusterRef: { name: cluster },
    ...(region === '' ? {} : { region }),
    environments: [firstEnvironment],
  },
});

/** The cluster of a new project, or why it is unknown. */
export type ClusterChosen =
  | { readonly is: 'chosen'; readonly name: string }
  | { readonly is: 'unknown'; readonly says: string }
  | { readonly is: 'open'; readonly says: string };

/** The requested cluster, else the only one, else the platform's default (001 defaultClusterRef). */
export function clusterChosen(
  asked: string | undefined,
  { clusters, byDefault }: { readonly clusters: readonly string[]; readonly byDefault: string },
): ClusterChosen {
  if (asked !== undefined && asked !== '')
    return clusters.includes(asked)
      ? { is: 'chosen', name: asked }
      : { is: 'unknown', says: `there is no cluster "${asked}"` };
  const [only, ...more] = clusters;
  if (only === undefined) return { is: 'open', says: 'there is no cluster that the project could run on' };
  if (more.length === 0) return { is: 'chosen', name: only };
  if (clusters.includes(byDefault)) return { is: 'chosen', name: byDefault };
  return {
    is: 'open',
    says:
      byDefault === ''
        ? 'there are several clusters and none is the default: name one'
        : `the default cluster "${byDefault}" does not exist: name another one`,
  };
}
