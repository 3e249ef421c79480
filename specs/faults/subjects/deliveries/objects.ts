import { Effect } from 'effect';
import { type CoreApp, coreApp } from '../../../../crds/coreApp.ts';
import { coreBuild } from '../../../../crds/coreBuild.ts';
import type { WebhookDelivery } from '../../../../crds/coreProject.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { label } from '../../../../crds/names.ts';
import { buildName, buildSpec } from '../../../../rules/build/build.ts';
import { deliveryState } from '../../../../rules/webhookDelivery/state.ts';
import { apps, builds, projects } from '../../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { inSystem, projectIn, projectName, putCluster, putProject } from '../../../support/project.ts';
import { digest, type TestEnvironment } from '../../../support/environment.ts';

const revision = '2027-01-01T00:00:00.000Z';
export const signingSecret = `whsec_${'a'.repeat(48)}`;
export const webhook = { id: '0a1b2c3d', url: 'https://hooks.example/x', disabled: false } as const;
const service = 'web';
const announcedDeploy = 'core.platform/announced-deploy';

export const appIn = ({ cluster }: TestEnvironment): CoreApp | undefined =>
  cluster.all(apps).find(({ metadata }) => metadata.name === service);

type Ready = 'True' | 'False' | null;
interface Runs {
  readonly source: CoreApp['spec']['source'];
  readonly image: string;
}
const fromImage: Runs = { source: { image: 'nginx' }, image: 'nginx' };

/** A service whose deploy was announced, as its controller leaves it. */
export function putDeployed(
  environment: TestEnvironment,
  ready: Ready,
  reason = 'ServiceReady',
  runs: Runs = fromImage,
): void {
  const found = appIn(environment);
  const annotations = found?.metadata.annotations ?? {
    'core.platform/deploy-revision': revision,
    [announcedDeploy]: revision,
  };
  const { source, image } = runs;
  const condition = { type: 'Ready', reason, message: 'told by Ready', lastTransitionTime: revision } as const;
  environment.cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: { ...(found?.metadata ?? inSystem(service)), annotations },
    spec: { project: projectName, environment: 'production', source, build, deploy: { enabled: true } },
    status: {
      deployRevision: revision,
      takenUpImage: image,
      resolvedImage: image,
      ...(ready === null ? {} : { conditions: [{ ...condition, status: ready }] }),
    },
  });
}

const repository = 'registry.local/apps/web';
const build = { cache: false, registry: { repository } };
const source = { git: { repository: 'demo/web', branch: 'main', waitForCI: false } };
const imageOf = (character: string) => `${repository}@${digest(character)}`;

/** The same from a repository: what ran before serves until the build of this deploy has succeeded. */
export function putBuilt(environment: TestEnvironment, phase: 'Running' | 'Succeeded' | 'Failed'): void {
  const image = imageOf(phase === 'Succeeded' ? 'b' : 'a');
  putDeployed(environment, 'True', 'ServiceReady', { source, image });
  const app = appIn(environment);
  const spec = app && buildSpec(app, { platform: { repository: '', credential: '' } });
  if (!spec) throw new Error('nothing is built');
  const failed = phase === 'Failed' ? { failureReason: 'builder Job failed' } : {};
  const succeeded = phase === 'Succeeded' ? { image: repository, imageDigest: digest('b') } : {};
  environment.cluster.put(builds, {
    ...typeMeta(coreBuild),
    metadata: { ...inSystem(buildName(spec)), labels: { [label.app]: service } },
    spec,
    status: { phase, ...failed, ...succeeded },
  });
}

/** Whether the service is built, and its build has not succeeded. */
export const isUnbuilt = ({ cluster }: TestEnvironment): boolean =>
  cluster.all(builds).some(({ status }) => status?.phase !== 'Succeeded');

export const isAnnounced = (environment: TestEnvironment): boolean =>
  appIn(environment)?.metadata.annotations?.[announcedDeploy] !== undefined;

/** A project with a signed webhook, and a service with an announced deploy. */
export function putAll(environment: TestEnvironment): void {
  putCluster(environment);
  environment.cluster.put(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: inSystem(`${projectName}-webhooks`),
    data: { [webhook.id]: Buffer.from(signingSecret).toString('base64') },
  });
  putProject(environment, { webhooks: [webhook] });
  putDeployed(environment, null);
}

export const deliveriesIn = (environment: TestEnvironment): readonly WebhookDelivery[] =>
  projectIn(environment)?.status?.webhookDeliveries ?? [];

/** Where the newest delivery stands; empty while there is none. */
export const stateIn = (environment: TestEnvironment): string => {
  const [newest] = deliveriesIn(environment);
  return newest ? deliveryState(newest) : '';
};

export const statusIs = (status: object) => (environment: TestEnvironment) => {
  if (projectIn(environment)) Effect.runSync(environment.cluster.patchStatus(projects, { name: projectName }, status));
};
