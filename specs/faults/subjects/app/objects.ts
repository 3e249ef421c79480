import { type AppSpec, type CoreApp, coreApp } from '../../../../crds/coreApp.ts';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { coreGitHostConnection } from '../../../../crds/coreGitHostConnection.ts';
import { corePlatformConfig, platformConfigName } from '../../../../crds/corePlatformConfig.ts';
import { coreProject } from '../../../../crds/coreProject.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import { apps, builds, connections, platformConfigs, projects } from '../../../../runtime/services/cluster/kinds.ts';
import { namespaces, secrets } from '../../../../runtime/services/cluster/resources.ts';
import { putNode } from '../../../support/database.ts';
import { putCluster } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

/** The service of the paths, and what it needs. */
export const names = { app: 'shop', project: 'demo', connection: 'host', secret: 'host-token' } as const;

const inSystem = (name: string) => ({ name, namespace: systemNamespace });

export const appIn = ({ cluster }: TestEnvironment, name: string = names.app): CoreApp | undefined =>
  cluster.all(apps).find(({ metadata }) => metadata.name === name);

const waitsForBuild = 'Git source is waiting for a successful build';
const states: Readonly<Record<string, string>> = {
  'Service is configured and waiting for deployment': 'Draft',
  // No node starts its pods.
  'Starting service': 'Applied',
};

/** How far it came, by what Ready says; empty before the first pass, and when there is no service. */
export function stateIn(environment: TestEnvironment): string {
  const { reason, message } = conditionOf(appIn(environment), 'Ready') ?? { reason: '', message: '' };
  if (message === waitsForBuild)
    return currentBuildIn(environment)?.status?.phase === 'Failed' ? 'BuildFailed' : 'Building';
  return states[message] ?? reason;
}

/** The builds that name a service. */
export const buildsOf = ({ cluster }: TestEnvironment, name: string = names.app): readonly CoreBuild[] =>
  cluster.all(builds).filter(({ spec }) => spec.app === name);

/** The existing build that the service names as its current one. */
export const currentBuildIn = (environment: TestEnvironment): CoreBuild | undefined => {
  const name = appIn(environment)?.status?.currentBuild;
  return name === undefined ? undefined : environment.build(name);
};

type Source = AppSpec['source'];

/** A pinned commit of the repository. */
export const commit = (character: string, over: Partial<NonNullable<Source['git']>> = {}): Source => ({
  git: { repository: 'demo/shop', commit: character.repeat(40), waitForCI: false, ...over },
});

/** Writes the service, changing only these fields of its spec. */
export function putApp(environment: TestEnvironment, spec: Partial<AppSpec> = {}, name: string = names.app): void {
  const { metadata = inSystem(name), spec: before, status } = appIn(environment, name) ?? {};
  const plain = { project: names.project, environment: 'production', source: commit('a'), deploy: { enabled: true } };
  environment.cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata,
    spec: { ...plain, ...before, ...spec },
    ...(status === undefined ? {} : { status }),
  });
}

const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'ProjectReady',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
} as const;

/** Where it runs: a cluster, a node with room, the namespace of its environment. */
export function putPlace(environment: TestEnvironment): void {
  putCluster(environment);
  putNode(environment);
  environment.cluster.put(namespaces, { metadata: { name: `${names.project}-production` } });
}

/** The dependencies of the service, by name. */
export const needs = {
  project: (
    environment: TestEnvironment,
    environments: readonly string[] = ['production'],
    connection: string | null = names.connection,
  ): void =>
    void environment.cluster.put(projects, {
      ...typeMeta(coreProject),
      metadata: inSystem(names.project),
      spec: {
        clusterRef: { name: 'local' },
        environments,
        ...(connection === null ? {} : { gitConnectionRef: { name: connection } }),
      },
      status: { conditions: [ready] },
    }),
  connection: (environment: TestEnvironment): void =>
    void environment.cluster.put(connections, {
      ...typeMeta(coreGitHostConnection),
      metadata: inSystem(names.connection),
      spec: { project: names.project, secretRef: { name: names.secret } },
    }),
  secret: (environment: TestEnvironment): void =>
    void environment.cluster.put(secrets, {
      metadata: inSystem(names.secret),
      data: { token: Buffer.from('token-of-the-git-host').toString('base64') },
    }),
  registry: (environment: TestEnvironment, repository = 'registry.local/apps/shop'): void =>
    void environment.cluster.put(platformConfigs, {
      ...typeMeta(corePlatformConfig),
      metadata: inSystem(platformConfigName),
      spec: { dashboardExposure: 'ingress', registry: { repository } },
    }),
} as const;

export type Need = keyof typeof needs;

/** Removes a dependency of the service. */
export const takeAway: Readonly<Record<Need, (environment: TestEnvironment) => void>> = {
  project: ({ cluster }) => cluster.drop(projects, names.project),
  connection: ({ cluster }) => cluster.drop(connections, names.connection),
  secret: ({ cluster }) => cluster.drop(secrets, names.secret),
  registry: ({ cluster }) => cluster.drop(platformConfigs, platformConfigName),
};
