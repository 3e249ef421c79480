import type { CoreApp } from '../../../crds/coreApp.ts';
import type { CoreDeployment } from '../../../crds/coreDeployment.ts';
import { label } from '../../../crds/names.ts';
import type { ActiveDeploymentFacts } from '../../../rules/activeDeployment/facts.ts';
import { activeRecord } from '../../../rules/activeDeployment/record.ts';
import { imageByDigest } from '../../../rules/build/image.ts';
import type { DeploymentSeen } from '../../../rules/pods.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { buildsOfApp, deploymentOf } from '../app/read.ts';
import { gateOf, specOf } from '../../../rules/service/deployed.ts';
import { isDeleting } from '../../../rules/deleting.ts';

interface RunningDeployment extends DeploymentSeen {
  readonly spec?: DeploymentSeen['spec'] & {
    readonly template?: { readonly spec?: { readonly containers?: readonly { readonly image?: string }[] } };
  };
}

/** The Deployment of a service, unless it belongs to another object. */
function ownDeployment(app: CoreApp, reader: CacheReader): RunningDeployment | undefined {
  const found: RunningDeployment | undefined = deploymentOf(app, specOf(app), reader);
  return found?.metadata.labels?.[label.kind] === 'CoreApp' ? found : undefined;
}

const wantedOf = ({ spec }: RunningDeployment): number => spec?.replicas ?? 1;
const imageIn = ({ spec }: RunningDeployment): string => spec?.template?.spec?.containers?.[0]?.image ?? '';

const isDeployed = (app: CoreApp): boolean => gateOf(app) !== 'Draft' && !isDeleting(app);

/** The build of a service that produced an image, also after it was deleted; empty when none did. */
function buildOfImage({ metadata }: CoreApp, image: string, reader: CacheReader, before?: CoreDeployment): string {
  const build = buildsOfApp(reader, metadata.name).find(
    ({ status }) => status?.imageDigest && imageByDigest(status.image ?? '', status.imageDigest) === image,
  );
  return build?.metadata.name ?? (before?.spec.image === image ? before.spec.buildRef : undefined) ?? '';
}

/** The desired record of what runs, based on the existing one; null when there is nothing to record. */
export function activeRecordOf(app: CoreApp, reader: CacheReader, before?: CoreDeployment): CoreDeployment | null {
  const deployment = isDeployed(app) ? ownDeployment(app, reader) : undefined;
  if (!deployment) return null;
  const image = imageIn(deployment);
  return activeRecord(app, {
    spec: specOf(app),
    image,
    replicas: wantedOf(deployment),
    build: buildOfImage(app, image, reader, before),
    before: before?.spec,
  });
}

/** What runs of a service, according to its record. */
export function whatRuns(
  app: CoreApp | undefined,
  reader: CacheReader,
): Pick<ActiveDeploymentFacts, 'deployed' | 'workload' | 'asleep'> {
  if (!app) return { deployed: false, workload: null, asleep: false };
  const deployment = ownDeployment(app, reader);
  const workload = deployment
    ? { wanted: wantedOf(deployment), available: deployment.status?.availableReplicas ?? 0 }
    : null;
  const sleeps = specOf(app).scaleToZero?.enabled === true;
  return { deployed: isDeployed(app), workload, asleep: sleeps && workload?.wanted === 0 };
}
