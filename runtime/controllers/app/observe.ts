import type { AppSpec, CoreApp } from '../../../crds/coreApp.ts';
import type { DraftDeployState } from '../../../machines/names.ts';
import { registryOf } from '../../../rules/build/build.ts';
import type { MissingSource } from '../../../rules/cause/missingSource.ts';
import { isReady } from '../../../rules/condition.ts';
import type { CapacitySeen } from '../../../rules/draftDeploy/facts.ts';
import { revisionOf } from '../../../rules/draftDeploy/stored.ts';
import { type Fact, known } from '../../../rules/fact.ts';
import { isTooLong } from '../../../rules/function/code.ts';
import { placeText } from '../../../rules/placement.ts';
import type { AvailableCapacity } from '../../../rules/capacity.ts';
import { fullRefusal } from '../../../rules/capacityMessages.ts';
import { activeAttempt } from '../../../rules/provision/attempts.ts';
import { replicasOf, sourceOf } from '../../../rules/service/effective.ts';
import type { ServiceSeen, ServiceObserved, Used } from '../../../rules/service/facts.ts';
import { databases, logicalDatabases, objectStores, projects } from '../../services/cluster/kinds.ts';
import type { ActionFailed } from '../../contract/lifecycle.ts';
import { type Diff, dueOf, isPendingInCache, overwrittenMessage, owned } from '../../owned/owned.ts';
import { refIn } from '../../services/cluster/failedOn.ts';
import { secrets } from '../../services/cluster/resources.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { whileRead, withoutVersion } from '../../cache/whileRead.ts';
import { everywhere, lazyCapacity, availableCapacity } from '../capacity.ts';
import { clusterOf } from './observe/cluster.ts';
import { isWhole } from './observe/environment.ts';
import { deployedBuild } from './observe/deploy.ts';
import { specOf } from '../../../rules/service/deployed.ts';
import { hostSeen } from './observe/host.ts';
import { missingShared } from './owned/injected.ts';
import type { ServiceResources } from './owned.ts';
import { scaledObjects } from '../../owned/addonKinds.ts';
import { isPlaced, podsOf, podState } from './observe/pods.ts';
import { pullConfig, secretContent } from './owned/secretData.ts';
import { placementOf, pullSecretOf } from './owned/settled.ts';
import { buildOfSettings, connectionOf, imageOf, settingsOf } from './observe/source.ts';
import { isStopped } from './owned/wake.ts';

/** The input of an observation besides the service. */
export interface ObserveInput {
  readonly reader: CacheReader;
  readonly ownedResources: ServiceResources;
  /** The state that the gate reached. */
  readonly gate: DraftDeployState;
  readonly failure: ActionFailed | null;
  readonly now: number;
}

/** Observes a service and its related objects, except for the results of its machines. */
export function observeService(app: CoreApp, { failure, now, ...found }: ObserveInput): ServiceSeen {
  const { awaitsDeployment, ...around } = observedOf(app, found);
  return {
    ...around,
    ...attemptSeen(app),
    pods: copiesSeen(app, { ...found, now, awaitsDeployment }),
    room: capacityOf(app, found),
    failure: failure && { counts: failure.retry, why: failure.message, on: failure.on },
  };
}

/** Fields that another manager keeps changing back, as sentences. */
export const overwrittenOf = (app: CoreApp, found: Omit<ObserveInput, 'failure' | 'now'>): ServiceSeen['contested'] =>
  observedOf(app, found).contested;

/** Computed lazily, because the capacity changes with every pod in the cluster and few rows read it. */
const capacityOf = (app: CoreApp, { gate, reader }: Pick<ObserveInput, 'gate' | 'reader'>): AvailableCapacity =>
  lazyCapacity(() => {
    // A service with a scheduled pod needs no other node.
    return isPlaced(app, reader) ? everywhere : serviceCapacity(app, specOf(app, gate), reader);
  });

interface StableObserved extends Omit<ServiceSeen, 'attempting' | 'attemptOfDeploy' | 'pods' | 'room' | 'failure'> {
  /** Whether the last written Deployment is not in the cache yet. */
  readonly awaitsDeployment: boolean;
}
const lastObserved = whileRead<StableObserved>();

/** The observations cached between passes. Of the status only this field is read. */
function observedOf(
  { status = {}, ...app }: CoreApp,
  { reader, ownedResources, gate }: Omit<ObserveInput, 'failure' | 'now'>,
): StableObserved {
  const { resolvedImage } = status;
  const seen: CoreApp = {
    ...app,
    metadata: withoutVersion(app.metadata),
    status: { ...(resolvedImage && { resolvedImage }) },
  };
  const inputs = [ownedResources, ownedResources.changes(app), gate, seen.metadata, seen.spec, seen.status];
  return lastObserved({ of: app.metadata.uid ?? '', inputs, reader }, (tracking) =>
    deriveObserved(seen, { reader: tracking, ownedResources, gate }),
  );
}

function deriveObserved(
  app: CoreApp,
  { reader, ownedResources, gate }: Omit<ObserveInput, 'failure' | 'now'>,
): StableObserved {
  const spec = specOf(app, gate);
  const running: CoreApp = { ...app, spec };
  const diff = ownedResources.diff(app, reader, gate);
  return {
    gate,
    ...placeSeen(spec, reader),
    ...sourceSeen(running, reader),
    ...usedBy(spec, reader),
    missing: missingOf(running, reader),
    host: hostSeen(app, spec, reader),
    workload: workloadSeen(diff),
    due: dueOf(diff).map((ref) => refIn(ref.resource, ref)),
    awaitsDeployment: isPendingInCache(diff, owned.deployments),
    ...buildSeen(running, reader),
    ...placementOf(spec, reader),
    contested: diff.overwritten.map(overwrittenMessage),
  };
}

function attemptSeen(app: CoreApp): Pick<ServiceObserved, 'attempting' | 'attemptOfDeploy'> {
  const { provision } = app.status ?? {};
  const attempting = activeAttempt(provision) !== undefined;
  return { attempting, attemptOfDeploy: attempting && (provision?.deploymentRef ?? '') === revisionOf(app) };
}

/** Adjusts the replicas of a Deployment just written, which is cached with the status of its old template. */
function copiesSeen(
  app: CoreApp,
  {
    reader,
    now,
    gate,
    awaitsDeployment,
  }: Pick<ObserveInput, 'reader' | 'now' | 'gate'> & Pick<StableObserved, 'awaitsDeployment'>,
): ServiceObserved['pods'] {
  const spec = specOf(app, gate);
  if (isStopped({ ...app, spec }, reader)) return 'asleep';
  return awaitsDeployment ? 'none' : podState(app, spec, { reader, now });
}

function buildSeen(running: CoreApp, reader: CacheReader): Pick<ServiceObserved, 'build' | 'currentBuild'> {
  if (!running.spec.source.git) return { build: null, currentBuild: '' };
  const build = buildOfSettings(running, reader);
  return { build: deployedBuild(build).phase, currentBuild: build?.metadata.name ?? '' };
}

function placeSeen(spec: AppSpec, reader: CacheReader): Pick<ServiceObserved, 'project' | 'environment' | 'cluster'> {
  const { project: name, environment } = spec;
  const found = reader.get(projects, name);
  const cluster = clusterOf(spec, reader);
  const listed = found?.spec.environments.includes(environment) === true ? 'fine' : 'withoutEnvironment';
  const unready = isWhole(spec, reader) ? 'notReadyElsewhere' : 'notReady';
  const is = !found ? 'absent' : isReady(found) ? listed : unready;
  return { project: { name, is }, environment, cluster: { name: cluster.name, ready: isReady(cluster.found) } };
}

function sourceSeen(
  app: CoreApp,
  reader: CacheReader,
): Pick<ServiceObserved, 'source' | 'connection' | 'secret' | 'registry' | 'isCodeTooLong' | 'image'> {
  const { name, is, secret } = connectionOf(app.spec, reader);
  return {
    source: sourceOf(app.spec),
    connection: { name, is },
    secret: { name: secret, found: reader.get(secrets, secret) !== undefined },
    registry: registryOf(app, settingsOf(app, reader)),
    isCodeTooLong: isTooLong(app.spec.source.function?.code ?? ''),
    image: imageOf(app, reader),
  };
}

type Kind = NonNullable<AppSpec['connectionRefs']>[number]['kind'];
const foundOf = {
  CoreDatabase: (name: string, reader: CacheReader) => reader.get(databases, name),
  CoreLogicalDatabase: (name: string, reader: CacheReader) => reader.get(logicalDatabases, name),
  CoreObjectStore: (name: string, reader: CacheReader) => reader.get(objectStores, name),
} as const;

/** Checks the environment, too: a connection Secret is in the namespace of its database or bucket. */
const usedAmong = (
  { project, environment, connectionRefs = [] }: AppSpec,
  kinds: readonly Kind[],
  reader: CacheReader,
): readonly Used[] =>
  connectionRefs
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, name }) => {
      const found = foundOf[kind](name, reader);
      const isNear = found?.spec.project === project && found.spec.environment === environment;
      return { kind, name, is: !found || !isNear ? 'absent' : isReady(found) ? 'ready' : 'notReady' };
    });

const usedBy = (spec: AppSpec, reader: CacheReader): Pick<ServiceObserved, 'databases' | 'buckets'> => ({
  databases: usedAmong(spec, ['CoreDatabase', 'CoreLogicalDatabase'], reader),
  buckets: usedAmong(spec, ['CoreObjectStore'], reader),
});

const missingOf = (app: CoreApp, reader: CacheReader): MissingSource | null =>
  missingShared(app.spec, reader) ??
  secretContent(app, app.spec, reader).missing ??
  pullConfig(pullSecretOf(app, reader), reader).missing;

/** Summarizes how the workload differs from the desired one. */
export function workloadSeen(diff: Diff): ServiceObserved['workload'] {
  // The add-on removes its finalizer in its own time, and nothing waits for that.
  const released = diff.terminating.filter(({ resource }) => resource.kind === scaledObjects.kind);
  if (dueOf(diff, released).length === 0) return 'current';
  return diff.absent.some(({ resource }) => resource.kind === owned.deployments.kind) ? 'absent' : 'stale';
}

const serviceCapacity = (app: CoreApp, spec: AppSpec, reader: CacheReader): AvailableCapacity =>
  availableCapacity(
    {
      resources: spec.resources,
      copies: replicasOf(spec),
      placement: placementOf(spec, reader),
      own: podsOf(app, reader),
    },
    reader,
  );

/** Whether a deploy of the current spec could be scheduled. */
export function deployCapacity(app: CoreApp, reader: CacheReader): Fact<CapacitySeen> {
  const why = capacityRefusal(app, reader);
  return known(why === null ? { is: 'enough' as const } : { is: 'tooLittle' as const, why });
}

function capacityRefusal(app: CoreApp, reader: CacheReader): string | null {
  const { nodes, crowded } = serviceCapacity(app, app.spec, reader);
  const place = placeText(placementOf(app.spec, reader));
  if (nodes === 'none') return `cannot be scheduled: there is no ready node in ${place} to run this service`;
  if (nodes === 'reserved') return `cannot be scheduled: every node in ${place} is reserved for other work`;
  if (crowded !== null) {
    const { cpu, memory, free } = crowded;
    return `cannot be scheduled: this service needs about ${cpu} CPU and ${memory} memory. The cluster currently has ${free} available`;
  }
  return nodes === 'full' || lacksBuildPod(app, reader) ? fullRefusal(place) : null;
}

/** Whether a build pod, which requests nothing, does not fit beside the pods of the service. */
function lacksBuildPod(app: CoreApp, reader: CacheReader): boolean {
  if (sourceOf(app.spec) !== 'git' || buildOfSettings(app, reader) !== undefined) return false;
  const build = { resources: {}, copies: 1, placement: placementOf(app.spec, reader), own: [] };
  return availableCapacity(build, reader).nodes === 'full';
}
