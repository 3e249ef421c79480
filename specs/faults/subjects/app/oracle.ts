import type { CoreApp } from '../../../../crds/coreApp.ts';
import type { BuildSpec, CoreBuild } from '../../../../crds/coreBuild.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { canonicalJson } from '../../../../rules/canonical.ts';
import { connections, platformConfigs, projects } from '../../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../../runtime/services/cluster/cluster.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Oracle } from '../subject.ts';
import { appIn, buildsOf, names, stateIn } from './objects.ts';

/** The actual state of what a service needs. */
function given(environment: TestEnvironment, app: CoreApp) {
  const one = <O extends KubeObject>(resource: Resource<O>, name: string | undefined) =>
    environment.cluster.all(resource).find(({ metadata }) => metadata.name === name);
  const project = one(projects, app.spec.project);
  const named = project?.spec.gitConnectionRef?.name;
  const connection = one(connections, named);
  return {
    project,
    named,
    connection,
    secret: one(secrets, connection?.spec.secretRef.name),
    registry: app.spec.build?.registry?.repository || one(platformConfigs, 'platform')?.spec.registry?.repository || '',
  };
}

/** The settings of a build that a push, a person or the platform may change, with their expected values. */
function wanted(environment: TestEnvironment, app: CoreApp): Partial<BuildSpec> {
  const { connection, registry } = given(environment, app);
  const { repository = '', commit = '', branch = '', context = '' } = app.spec.source.git ?? {};
  return {
    app: app.metadata.name,
    project: app.spec.project,
    environment: app.spec.environment,
    repository,
    revision: commit,
    branch,
    context,
    registry,
    ...(connection ? { connectionRef: { name: connection.metadata.name } } : {}),
  };
}

const isOf = (build: CoreBuild, settings: Partial<BuildSpec>) =>
  Object.entries(settings).every(
    ([name, value]) => canonicalJson(build.spec[name as keyof BuildSpec] ?? '') === canonicalJson(value),
  );

/** Why nothing may be built; empty when a build is allowed. */
function blocker(environment: TestEnvironment, app: CoreApp): string {
  const { project, named, connection, secret, registry } = given(environment, app);
  if (!app.spec.deploy.enabled) return 'Draft';
  if (!project?.spec.environments.includes(app.spec.environment)) return 'ReconcileError';
  if (!app.spec.source.git) return '';
  const isLinked = named === undefined || (connection && secret);
  return isLinked && registry !== '' ? '' : 'ReconcileError';
}

/** What failed often enough is given up, whatever became right since. */
const unlike = (said: string, right: string): readonly string[] =>
  said === right || said === 'ProvisionFailed' ? [] : [`says ${said || 'nothing'}, and ${right} is right`];

/** The differences between the status of a built service and its actual builds. */
function wrongOfBuilt(environment: TestEnvironment, app: CoreApp): readonly string[] {
  const { currentBuild = '', resolvedImage = '' } = app.status ?? {};
  const build = environment.build(currentBuild);
  if (!build) return ['its current build is not there'];
  const { phase = '', image = '', imageDigest = '' } = build.status ?? {};
  const waiting = phase === 'Failed' ? 'BuildFailed' : 'Building';
  return [
    ...(isOf(build, wanted(environment, app)) ? [] : ['its current build is one of other settings']),
    ...(phase !== 'Succeeded' || resolvedImage === `${image}@${imageDigest}`
      ? []
      : [`runs ${resolvedImage || 'nothing'}, not what was built`]),
    ...unlike(stateIn(environment), resolvedImage === '' ? waiting : 'Applied'),
  ];
}

/** The differences between the expected and the actual verdict and status of a service, given what exists. */
function wrongAtRest(environment: TestEnvironment, app: CoreApp): readonly string[] {
  const { image, git } = app.spec.source;
  const hindered = blocker(environment, app);
  if (hindered !== '') return unlike(stateIn(environment), hindered);
  if (git) return wrongOfBuilt(environment, app);
  if (image === undefined) return unlike(stateIn(environment), 'Applied');
  const { resolvedImage = 'nothing' } = app.status ?? {};
  return [
    ...unlike(stateIn(environment), 'Applied'),
    ...(resolvedImage === image ? [] : [`runs ${resolvedImage}, not its image`]),
  ];
}

/** What must hold of a service under every fault: of its builds, and of its reports about them. */
export function appOracle(environment: TestEnvironment, hasUserEdits: boolean): Oracle {
  let deployed = false;
  const checked = new Map<string, string>();

  /** No spec is built twice while its build exists. */
  const checkBuild = ({ metadata: { uid = '', name, ownerReferences = [] }, spec }: CoreBuild): readonly string[] => {
    if (checked.has(uid)) return [];
    checked.set(uid, canonicalJson(spec));
    const others = buildsOf(environment).filter(({ metadata }) => metadata.uid !== uid);
    const owner = ownerReferences.find(({ kind }) => kind === 'CoreApp')?.name;
    return [
      ...(others.some((other) => canonicalJson(other.spec) === canonicalJson(spec)) ? [`${name} is built twice`] : []),
      ...(owner !== undefined && owner !== spec.app ? [`${name} belongs to another service`] : []),
    ];
  };

  const look = (app: CoreApp | undefined) => {
    deployed ||= app?.spec.deploy.enabled ?? false;
  };
  look(appIn(environment));

  return {
    look: (changed) => {
      if (changed.kind === 'CoreApp' && changed.metadata.name === names.app) look(changed as CoreApp);
      if (changed.kind !== 'CoreBuild' || (changed as CoreBuild).spec.app !== names.app) return [];
      const twice = checkBuild(changed as CoreBuild);
      return deployed || hasUserEdits ? twice : [...twice, 'a draft is built'];
    },
    atRest: () => {
      const app = appIn(environment);
      if (app) return wrongAtRest(environment, app);
      const left = buildsOf(environment).filter(({ metadata }) => metadata.ownerReferences?.length);
      return left.map(({ metadata }) => `${metadata.name} outlives its service`);
    },
  };
}
