import type { CoreApp } from '../../../../crds/coreApp.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import { namespaceOf } from '../../../../rules/project/environment.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { pieceIn } from '../../../support/project.ts';
import { appIn, type Deployed, deploymentIn, objectsIn, serviceName, standing } from '../../../support/service.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Oracle } from '../subject.ts';
import { stateIn } from './paths.ts';
import { cannotWake, makeSleepOracle } from './sleep.ts';

const lacks = (what: string, is: boolean) => (is ? [] : [`it is Ready and lacks ${what}`]);

/** What was deployed last, as it was written then; null where that is not known. */
function deployedIn({ metadata, spec }: CoreApp): CoreApp['spec'] | null {
  const { annotations = {} } = metadata;
  const text = annotations[annotation.lastDeployed];
  if (annotations[annotation.deployWorkflow] !== 'true') return spec;
  return text === undefined ? null : (JSON.parse(text) as CoreApp['spec']);
}

/** The copies that stand: an autoscaler's number is its own. */
const copiesOf = ({ spec: { autoscaling, replicas = 1 } }: CoreApp): number | null =>
  autoscaling?.enabled ? null : replicas;

/** What a service that reports Ready lacks: it runs what was deployed, with the copies and the host of its spec. */
function lackingIn(environment: TestEnvironment, app: CoreApp): readonly string[] {
  const deployed = deployedIn(app);
  if (deployed === null) return [];
  const namespace = namespaceOf(deployed.project, deployed.environment);
  const deployment = deploymentIn(environment, namespace);
  const copies = copiesOf(app);
  const host = app.spec.networking?.host ?? '';
  const config = pieceIn(environment, owned.configMaps, `${serviceName}-config`, namespace) as
    { readonly data?: object } | undefined;
  const ingress = JSON.stringify(pieceIn(environment, owned.ingresses, serviceName, namespace) ?? null);
  return [
    ...lacks('its Service', pieceIn(environment, owned.services, serviceName, namespace) !== undefined),
    ...lacks('its image', deployment?.spec.template.spec.containers[0]?.image === deployed.source.image),
    ...lacks('its copies', copies === null || deployment?.spec.replicas === copies),
    ...lacks('its host', host === '' ? ingress === 'null' : ingress.includes(`"${host}"`)),
    ...lacks('its variables', JSON.stringify(config?.data ?? {}) === JSON.stringify(deployed.config ?? {})),
    ...objectsIn(environment)
      .filter(({ metadata }) => metadata.namespace !== namespace)
      .map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name} is left`),
  ];
}

/** The violations of a converged service. */
function restsIn(environment: TestEnvironment, app: CoreApp): readonly string[] {
  const { metadata, spec, status } = app;
  if (metadata.deletionTimestamp !== undefined) return ['it is deleted and does not go'];
  const state = stateIn(environment);
  const isDraft = !spec.deploy.enabled;
  const atGate = isDraft === (state === 'Draft') ? [] : [`rests in ${state}, and its gate is not so`];
  if (isDraft) return [...atGate, ...standing(environment).map((one) => `${one} stands of a draft`)];
  const isTakenUp = (metadata.annotations?.[annotation.deployRevision] ?? '') === (status?.deployRevision ?? '');
  return [
    ...atGate,
    ...(isTakenUp ? [] : ['a deploy is not taken up']),
    ...(state === 'Ready' ? lackingIn(environment, app) : []),
  ];
}

/** The ports of what somebody else made under the name of the service, as text. */
const unmanagedIn = ({ cluster }: TestEnvironment): string =>
  JSON.stringify(
    cluster
      .all(owned.services)
      .filter(({ metadata }) => metadata.name === serviceName && !metadata.labels?.['core.platform/managed-by'])
      .map((object) => (object as KubeObject & { readonly spec?: object }).spec),
  );

/** What must hold of a service under every fault: of its objects, its copies, and what is somebody else's. */
export function serviceOracle(environment: TestEnvironment, hasUserEdits: boolean): Oracle {
  const unmanaged = unmanagedIn(environment);
  /** The images that were ever deployed, or written without the gate. */
  const approved = new Set<string>();
  const approve = (app: CoreApp | undefined) => {
    const image = app && app.spec.deploy.enabled ? deployedIn(app)?.source.image : undefined;
    if (image !== undefined) approved.add(image);
  };
  approve(appIn(environment));
  const sleepFaults = makeSleepOracle(environment);
  let copies = 0;
  const lookAtPods = ({ metadata, spec: { template, replicas = 1 } }: Deployed): readonly string[] => {
    const image = template.spec.containers[0]?.image ?? '';
    const takenBack = replicas < copies && appIn(environment)?.spec.autoscaling?.enabled === true;
    copies = metadata.deletionTimestamp === undefined ? replicas : 0;
    return [
      ...(approved.has(image) ? [] : [`${image} runs and was never deployed`]),
      ...(takenBack ? ['copies are taken back from the autoscaler'] : []),
    ];
  };
  return {
    look: (changed) => {
      if (changed.kind === 'CoreApp') {
        approve(changed as CoreApp);
        const told = /of-the-person/.test(JSON.stringify((changed as CoreApp).status ?? {}));
        return told ? ['a value of a Secret is told in the status'] : [];
      }
      if (hasUserEdits) return [];
      const isOwn = changed.kind === 'Deployment' && changed.metadata.name === serviceName;
      return [...sleepFaults(changed), ...(isOwn ? lookAtPods(changed as Deployed) : [])];
    },
    atRest: () => {
      const app = appIn(environment);
      const touched =
        hasUserEdits || unmanagedIn(environment) === unmanaged ? [] : ['what somebody else made is touched'];
      if (app) return [...touched, ...restsIn(environment, app), ...cannotWake(environment)];
      return hasUserEdits ? touched : [...touched, ...standing(environment).map((one) => `${one} is left`)];
    },
  };
}
