import { type AppSpec, type CoreApp, coreApp } from '../../crds/coreApp.ts';
import { type CoreDatabase, coreDatabase } from '../../crds/coreDatabase.ts';
import type { CoreProject, PullRequestEntry, SharedVariable } from '../../crds/coreProject.ts';
import { type KubeObject, typeMeta } from '../../crds/kind.ts';
import { annotation, label, systemNamespace } from '../../crds/names.ts';
import { repositoryName } from '../build/repository.ts';
import { hashOf } from '../canonical.ts';

/** The longest name of a service or database (document 000, Limits). */
const longestName = 36;
const hashLength = 8;

/** The name of a copy: `<name>-<environment>`, with a hash in place of its end when that is too long. */
export function copyName(name: string, environment: string): string {
  const whole = `${name}-${environment}`;
  if (whole.length <= longestName) return whole;
  const hash = hashOf(whole).slice(0, hashLength);
  return `${whole.slice(0, longestName - hashLength - 1).replace(/-+$/, '')}-${hash}`;
}

/** The context of a copy for a pull request: the base environment and the target. */
export interface Copying {
  readonly entry: PullRequestEntry;
  /** The base of the Git host's clone addresses. */
  readonly gitUrl: string;
  /** The databases that are copied, by their names. */
  readonly databases: ReadonlySet<string>;
  /** When, as RFC 3339. */
  readonly at: string;
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** A service that builds the target branch builds the branch of the pull request; others are unchanged. */
function sourceOf({ source }: AppSpec, { entry, gitUrl }: Copying): AppSpec['source'] {
  const { git } = source;
  if (!git || git.branch !== entry.targetBranch) return source;
  const repository = repositoryName(git.repository, gitUrl);
  if (repository === null || !same(repository, entry.repository)) return source;
  const { commit: _, ...followed } = git;
  return { git: { ...followed, branch: entry.branch } };
}

/** Redirects connections to the copied databases; others, which would leave the environment, are dropped. */
const connectionsOf = ({ connectionRefs = [] }: AppSpec, { entry, databases }: Copying) =>
  connectionRefs
    .filter(({ kind, name }) => kind === 'CoreDatabase' && databases.has(name))
    .map((one) => ({ ...one, name: copyName(one.name, entry.environment) }));

const displayNameOf = ({ annotations }: CoreApp['metadata']) => {
  const displayName = annotations?.[annotation.displayName];
  return displayName === undefined ? {} : { [annotation.displayName]: displayName };
};

const annotationsOf = ({ metadata }: CoreApp | CoreDatabase, spec: object, at: string) => ({
  [annotation.copyOf]: metadata.name,
  [annotation.deployWorkflow]: 'true',
  [annotation.deployRevision]: at,
  [annotation.lastDeployed]: JSON.stringify(spec),
  ...displayNameOf(metadata),
});

/** A deployed copy of the running service, without a public host. */
export function copiedApp(app: CoreApp, running: AppSpec, copying: Copying): CoreApp {
  const { networking: _, ...kept } = running;
  const { environment } = copying.entry;
  const spec: AppSpec = {
    ...kept,
    environment,
    source: sourceOf(running, copying),
    connectionRefs: connectionsOf(running, copying),
    deploy: { enabled: true },
  };
  return {
    ...typeMeta(coreApp),
    metadata: {
      name: copyName(app.metadata.name, environment),
      namespace: systemNamespace,
      annotations: annotationsOf(app, spec, copying.at),
    },
    spec,
  };
}

/** A deployed copy of the running database: empty, and without backups. */
export function copiedDatabase(
  database: CoreDatabase,
  running: CoreDatabase['spec'],
  { entry: { environment }, at }: Copying,
): CoreDatabase {
  const { backup: _, restoreFrom: __, ...kept } = running;
  const spec: CoreDatabase['spec'] = { ...kept, environment, deploy: { enabled: true } };
  return {
    ...typeMeta(coreDatabase),
    metadata: {
      name: copyName(database.metadata.name, environment),
      namespace: systemNamespace,
      annotations: annotationsOf(database, spec, at),
    },
    spec,
  };
}

/** The shared variables of an environment, for another one; a secret one reads the same key of its Secret. */
const copiedVariables = (variables: readonly SharedVariable[], base: string, environment: string) =>
  variables.filter((one) => one.environment === base).map((one) => ({ ...one, environment }));

/** The environment to copy: the named one, else the first. */
export const baseOf = ({ spec }: CoreProject): string =>
  spec.prEnvironments?.baseEnvironment || (spec.environments[0] ?? '');

/** The patch that adds an environment with the shared variables of the base; null when it exists. */
export function environmentEntered({ spec }: CoreProject, base: string, environment: string): object | null {
  if (spec.environments.includes(environment)) return null;
  const variables = spec.sharedVariables ?? [];
  const copied = copiedVariables(variables, base, environment);
  const others = variables.filter((one) => one.environment !== environment);
  return {
    spec: {
      environments: [...spec.environments, environment],
      ...(copied.length === 0 ? {} : { sharedVariables: [...others, ...copied] }),
    },
  };
}

/** Whether an object is a copy for a pull request whose environment neither exists nor is being created or removed. */
export function isLateCopy(
  copy: KubeObject | CoreApp | CoreDatabase,
  { metadata, spec, status }: CoreProject,
): boolean {
  const { annotations, labels } = copy.metadata;
  if (annotations?.[annotation.copyOf] === undefined) return false;
  // The Secret of a copy has no spec.
  const of =
    'spec' in copy ? copy.spec : { project: labels?.[label.project], environment: labels?.[label.environment] };
  return (
    of.project === metadata.name &&
    !spec.environments.includes(of.environment ?? '') &&
    !(status?.pullRequests ?? []).some(({ environment }) => environment === of.environment)
  );
}
