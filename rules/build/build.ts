import { defined } from '../defined.ts';
import { type BuildSpec, type CoreBuild, coreBuild } from '../../crds/coreBuild.ts';
import type { CoreApp, GitSource } from '../../crds/coreApp.ts';
import { typeMeta } from '../../crds/kind.ts';
import { label, managedBy, systemNamespace } from '../../crds/names.ts';
import { hashOf } from '../canonical.ts';

/** The inputs of a build that do not come from the service itself. */
export interface BuildSettings {
  /** The project's connection, with the Secret that it names; absent when the project is not linked to the Git host. */
  readonly connection?: { readonly name: string; readonly secret: string };
  /** `registry` of the platform configuration. */
  readonly platform: { readonly repository: string; readonly credential: string };
}

const ref = (name: string | undefined) => (name === undefined || name === '' ? undefined : { name });
const text = (value: string | undefined) => (value === '' ? undefined : value);

/** The registry for the builds of a service: its own, otherwise the platform's; empty when neither names one. */
export const registryOf = (app: CoreApp, settings: BuildSettings): string =>
  app.spec.build?.registry?.repository || settings.platform.repository;

/**
 * The spec of a service's build, with defaults applied and empty fields left out, so that the same settings always
 * give the same hash (decision 41).
 */
export function buildSpec(app: CoreApp, settings: BuildSettings): BuildSpec | null {
  const git = app.spec.source.git;
  if (!git) return null;
  const own = app.spec.build;
  const ownRegistry = own?.registry?.repository;
  return withoutAbsent({
    app: app.metadata.name,
    project: app.spec.project,
    environment: app.spec.environment,
    ...sourceSpec(git),
    connectionRef: ref(settings.connection?.name),
    gitCredentialRef: ref(settings.connection?.secret),
    registry: text(registryOf(app, settings)),
    credentialRef: ref(ownRegistry ? own?.registry?.credentialRef?.name : settings.platform.credential),
    cache: own?.cache ?? false,
    logStoreRef: ref(own?.logStoreRef?.name),
  });
}

const sourceSpec = (git: GitSource) => ({
  repository: text(git.repository),
  revision: text(git.commit),
  branch: text(git.branch),
  buildfile: text(git.buildfile) ?? 'Buildfile',
  context: text(git.context),
  waitForCI: git.waitForCI,
});

type Absentable<T> = { [K in keyof T]: T[K] | undefined };
const withoutAbsent = (spec: Absentable<Required<BuildSpec>>): BuildSpec => defined(spec) as BuildSpec;

/** `<app>-build-` and the first 12 characters of the hash of the spec. */
export const buildName = (spec: BuildSpec): string => `${spec.app}-build-${hashOf(spec).slice(0, 12)}`;

export const jobName = (build: string): string => `${build}-builder`;

/** The labels every build carries (000 CoreBuild). */
export const buildLabels = (spec: BuildSpec) => ({
  [label.app]: spec.app,
  [label.name]: spec.app,
  [label.kind]: coreBuild.kind,
  [label.managedBy]: managedBy,
  [label.systemNamespace]: systemNamespace,
  [label.project]: spec.project,
  [label.environment]: spec.environment,
});

/** The CoreBuild of a service, owned by it (decision 143). */
export function buildOf(app: CoreApp & { readonly metadata: { readonly uid?: string } }, spec: BuildSpec): CoreBuild {
  return {
    ...typeMeta(coreBuild),
    metadata: {
      name: buildName(spec),
      namespace: systemNamespace,
      labels: buildLabels(spec),
      ownerReferences: [
        {
          apiVersion: typeMeta(coreBuild).apiVersion,
          kind: 'CoreApp',
          name: app.metadata.name,
          uid: app.metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec,
  };
}
