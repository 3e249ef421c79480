import { Effect, Stream } from 'effect';
import type { CoreApp } from '../../crds/coreApp.ts';
import type { CoreDeployment } from '../../crds/coreDeployment.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation, key, label } from '../../crds/names.ts';
import { activeName, isActive } from '../../rules/activeDeployment/name.ts';
import { activeRecord } from '../../rules/activeDeployment/record.ts';
import { listedDeploys, withDeploy } from '../../rules/deploymentRecord/deploys.ts';
import { recordOf } from '../../rules/deploymentRecord/record.ts';
import { appliedObject, ownerOf } from '../../rules/owned/ownedObject.ts';
import { serviceObjects } from '../../rules/service/objects.ts';
import type { Settled } from '../../rules/service/settled.ts';
import { isoTime } from '../../rules/time.ts';
import { interceptorRoutes, scaledObjects } from '../../runtime/owned/addonKinds.ts';
import { apps, deployments } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { merged } from '../../runtime/step/mergePatch.ts';
import { bareEntry } from './bareEntry.ts';
import { bareEvents, lookForRest, runParts } from './bareParts.ts';
import { follow } from './follow.ts';
import { type DeployService, image, recordNameOf } from './serviceLives.ts';
import { plainSettled } from '../support/settled.ts';

/** The moves of a life until it is Ready, in their order: of the gate, of the row of failures, of the service. */
const life = [
  { machine: 'draftDeploy', from: '(none)', event: 'draftFound', to: 'Draft' },
  { machine: 'service', from: '(none)', event: 'createdAsDraft', to: 'Draft' },
  { machine: 'draftDeploy', from: 'Draft', event: 'deployed', to: 'Deployed' },
  { machine: 'provisionRetry', from: 'Clean', event: 'redeployFound', to: 'Clean' },
  { machine: 'service', from: 'Draft', event: 'gateOpened', to: 'Provisioning' },
  { machine: 'service', from: 'Provisioning', event: 'provisioned', to: 'Ready' },
];
const recordLife = [{ machine: 'deploymentRecord', from: '(none)', event: 'recorded', to: 'Recorded' }];
const activeLife = [
  { machine: 'activeDeployment', from: '(none)', event: 'rolloutRecorded', to: 'RollingOut' },
  { machine: 'activeDeployment', from: 'RollingOut', event: 'replicasReached', to: 'Available' },
];

const settledFor = (app: CoreApp): Settled =>
  plainSettled(image, { placement: { region: 'local', tags: [] }, deployRevision: recordNameOf(app) });

/**
 * The least that could carry services to Ready: one watch of each kind, the very writes that the runtime makes, as
 * constants, and its look for what is left of a draft. No cache, rules, machine, queue or precondition.
 */
export function bareServices(cluster: ClusterShape) {
  const entries = (arrows: typeof life) => arrows.map((arrow, index) => bareEntry(index + 1, arrow));
  const [history, recorded, active] = [entries(life), entries(recordLife), entries(activeLife)];
  const { post, posting } = bareEvents(cluster);
  const patch = (name: string, change: object) => cluster.patch(apps, { name }, change);
  /** So many moves are in the history then, and those from `told` on are told. */
  const record = (name: string, [told, moved]: readonly [number, number], fields: object) =>
    Effect.map(cluster.patchStatus(apps, { name }, { ...fields, history: history.slice(0, moved) }), (app) =>
      post(apps, app, history.slice(told, moved)),
    );
  const tell = (name: string, moves: typeof history, fields: object) =>
    Effect.map(cluster.patchStatus(deployments, { name }, { ...fields, history: moves }), (object) =>
      post(deployments, object, moves.slice(-1)),
    );

  const begin = ({ metadata: { name } }: CoreApp) =>
    patch(name, { metadata: { finalizers: [key('app')] } }).pipe(
      Effect.andThen(
        record(name, [0, 2], {
          phase: 'Draft',
          targetNamespace: 'shop-production',
          resolvedImage: image,
          ...ready('False', 'Service is configured and waiting for deployment'),
        }),
      ),
      Effect.andThen(
        lookForRest(cluster, { kind: 'CoreApp', name }, [
          scaledObjects,
          owned.configMaps,
          owned.secrets,
          owned.services,
          owned.ingresses,
          owned.deployments,
          owned.autoscalers,
          owned.cronJobs,
          interceptorRoutes,
        ]),
      ),
    );
  const deploy: DeployService = (app) => {
    const { name, uid } = app.metadata;
    const annotations = {
      [annotation.pendingChanges]: null,
      [annotation.lastDeployed]: JSON.stringify({ ...app.spec, deploy: { enabled: true } }),
      [annotation.deployRevision]: recordNameOf(app),
      [annotation.move]: JSON.stringify({ uid, ...history[2] }),
    };
    const listed = withDeploy(app, { name: recordNameOf(app), at: at(), resolvedImage: image });
    return patch(name, merged({ spec: { deploy: { enabled: true } }, metadata: { annotations } }, listed)).pipe(
      Effect.andThen(record(name, [2, 3], ready('False', 'Service is being provisioned'))),
    );
  };
  const provision = (app: CoreApp) => {
    const { name } = app.metadata;
    const told = { spec: app.spec, image, replicas: 1, build: '', before: undefined };
    return record(name, [3, 5], {
      phase: 'Provisioning',
      deployRevision: recordNameOf(app),
      takenUpImage: image,
      provision: {
        activeProvisionAttempt: 'attempt-1',
        provisionAttempts: attempt('Running'),
        buildRef: '',
        deploymentRef: recordNameOf(app),
      },
      ...ready('False', 'Service is being provisioned'),
    }).pipe(
      Effect.andThen(
        Effect.forEach(listedDeploys(app), (listed) => cluster.create(deployments, recordOf(app, listed))),
      ),
      Effect.andThen(
        Effect.forEach(serviceObjects(app, app.spec, settledFor(app)), (object) =>
          cluster.apply(
            object.kind === 'Service' ? owned.services : owned.deployments,
            appliedObject(object, ownerOf('CoreApp', app)),
            'nothing',
          ),
        ),
      ),
      Effect.andThen(
        cluster.patchStatus(
          apps,
          { name },
          { recordedDeploy: recordNameOf(app), ...ready('False', 'Starting service') },
        ),
      ),
      Effect.andThen(cluster.create(deployments, activeRecord(app, told))),
    );
  };
  const beginRecord = ({ metadata: { name } }: CoreDeployment) =>
    isActive(name)
      ? tell(name, active.slice(0, 1), { phase: 'RollingOut', healthCheck: 'RollingOut', availableReplicas: 0 })
      : tell(name, recorded, { phase: 'Recorded', startedAt: at(), completedAt: at() });
  const finish = (app: string) =>
    Effect.all([
      record(app, [5, 6], {
        phase: 'Ready',
        provision: { activeProvisionAttempt: null, provisionAttempts: attempt('Succeeded') },
        ...ready('True', 'Service is running'),
      }),
      tell(activeName(app), active, { phase: 'Available', healthCheck: 'Available', availableReplicas: 1 }),
    ]);

  /** What is due of a service by what is seen of it: each once. */
  const dueOf = (app: CoreApp) => {
    const moved = historyOf(app).length;
    if (moved === 0 && app.metadata.finalizers === undefined) return begin(app);
    return moved === 3 ? provision(app) : Effect.void;
  };
  const isRunning = ({ status }: KubeObject & { readonly status?: { readonly availableReplicas?: number } }) =>
    (status?.availableReplicas ?? 0) > 0;
  const loops = [
    following(follow(cluster, apps), ({ object }) => dueOf(object)),
    following(follow(cluster, deployments), ({ type, object }) =>
      type === 'added' ? beginRecord(object) : Effect.void,
    ),
    following(follow(cluster, owned.deployments, { namespace: 'all' }), ({ object }) =>
      isRunning(object) ? finish(object.metadata.labels?.[label.name] ?? '') : Effect.void,
    ),
  ];
  return { deploy, end: runParts([...loops, posting]) };
}

interface Seen<O> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: O;
}

const following = <O>(
  changes: Stream.Stream<Seen<O> | { readonly type: 'bookmark' }, unknown>,
  react: (seen: Seen<O>) => Effect.Effect<unknown, unknown>,
) =>
  changes.pipe(
    Stream.mapEffect((change) => ('object' in change ? Effect.ignore(react(change)) : Effect.void), {
      concurrency: 16,
      unordered: true,
    }),
    Stream.runDrain,
  );

const at = () => isoTime(Date.now());
const ready = (status: 'True' | 'False', message: string) => ({
  conditions: [
    { type: 'Ready', status, reason: 'ReconcileError', message, lastTransitionTime: at(), observedGeneration: 1 },
  ],
});
const attempt = (phase: string) => [{ id: 'attempt-1', startedAt: at(), phase, summary: 'Provisioning', errors: [] }];
