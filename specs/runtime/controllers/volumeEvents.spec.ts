import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { jobNameLabel, label, managedBy } from '../../../crds/names.ts';
import { purposeLabel } from '../../../rules/backup/jobs.ts';
import { isoTime } from '../../../rules/time.ts';
import { workloadPods } from '../../../runtime/controllers/capacity.ts';
import { replicaSets } from '../../../runtime/owned/addonKinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { type ClusterShape, Refused } from '../../../runtime/services/cluster/cluster.ts';
import { logicalJobs } from '../../../runtime/controllers/logicalDatabase/owned/jobs.ts';
import { events } from '../../../runtime/services/cluster/resources.ts';
import { backupsSession } from '../../support/backups.ts';
import { kubelet } from '../../support/database.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { putStore, server, startSession, storeIn } from '../../support/cloud/objectStore.ts';
import { draft } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { withSession as withLogical } from './logicalDatabase/session.ts';
import { deploy, running, withSession as withService } from './service/session.ts';

const spec = suite('Events of pods that wait for volumes');

interface Session {
  readonly environment: TestEnvironment;
  readonly time: { readonly wall: () => number };
  readonly object: () => KubeObject & { readonly status?: { readonly causes?: readonly StoredCause[] } };
  readonly pass: (seconds: number) => Promise<void>;
}
interface Restarted {
  readonly crash: (over?: (cluster: ClusterShape) => ClusterShape) => Promise<void>;
}

const words = 'MountVolume.SetUp failed for volume "data": not found';

/** Puts a pod on a node, whose container is not created yet, and what the kubelet says of its volumes. */
function putCreating({ environment: { cluster }, time }: Session, pod: KubeObject, message = words): void {
  const {
    name,
    namespace = '',
    uid,
  } = cluster.put(workloadPods, {
    ...pod,
    apiVersion: 'v1',
    kind: 'Pod',
    spec: { nodeName: 'one', containers: [{ name: 'main', image: 'main:1' }] },
    status: {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: isoTime(time.wall()) }],
      containerStatuses: [{ name: 'main', state: { waiting: { reason: 'ContainerCreating' } } }],
    },
  } as KubeObject).metadata;
  cluster.put(events, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.mount`, namespace },
    involvedObject: { kind: 'Pod', name, namespace, uid },
    type: 'Warning',
    reason: 'FailedMount',
    message,
    lastTimestamp: isoTime(time.wall()),
  } as KubeObject);
}

/** Puts the ReplicaSet of a Deployment, and returns a pod of it that is to be put. */
function putRevision({ cluster }: TestEnvironment, name: string): KubeObject {
  const deployment = cluster.all(owned.deployments).find(({ metadata }) => metadata.name === name);
  const { uid = '', namespace = '', labels = {} } = deployment?.metadata ?? {};
  const part = (kind: string, called: string, owner: string) => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: {
      name: called,
      namespace,
      labels,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'X', name, uid: owner }],
    },
  });
  const set = cluster.put(replicaSets, part('ReplicaSet', `${name}-1`, uid));
  return part('Pod', `${name}-1-a`, set.metadata.uid ?? '');
}

/** Lists of Events, by what they select, through a cluster that may refuse them. */
async function listsOf(session: Restarted, refuses = false): Promise<readonly string[]> {
  const lists: string[] = [];
  await session.crash((cluster) => ({
    ...cluster,
    list: (resource, options) => {
      if (resource.plural !== events.plural || !options?.fieldSelector?.startsWith('involvedObject'))
        return cluster.list(resource, options);
      lists.push(options.fieldSelector);
      return refuses
        ? Effect.fail(new Refused({ status: 403, message: 'forbidden' }))
        : cluster.list(resource, options);
    },
  }));
  return lists;
}

const causes = ({ object }: Session): readonly string[] =>
  (object().status?.causes ?? []).map(({ of, reason, message }) => `${of} ${reason}: ${message}`);
const volumeFailed = `VolumeFailed: a volume cannot be mounted: ${words}`;

const serviceIsReady = { spec: { deploy: { enabled: false } }, annotations: draft };
const runningPod = ({ environment }: Session): KubeObject => {
  const [pod] = environment.cluster.all(workloadPods);
  if (!pod) throw new Error('there is no pod');
  return pod;
};

spec('SVC-043 they are read once after 30 s in ContainerCreating, then once a minute while it lasts', () =>
  withService(serviceIsReady, async (session) => {
    await deploy(session);
    await running(session);
    putCreating(session, runningPod(session));
    const lists = await listsOf(session);
    await session.pass(27);
    assert.equal(lists, [], 'not before 30 s');
    await session.pass(5);
    const { uid = '' } = runningPod(session).metadata;
    assert.equal(lists, [`involvedObject.uid=${uid}`]);
    assert.equal(causes(session), [`Ready ${volumeFailed}`]);
    await session.pass(50);
    assert.is(lists.length, 1);
    await session.pass(10 * 60);
    assert.is(lists.length, 11);
  }),
);

spec('an API that refuses Events fails no pass: the service says how many copies are there', () =>
  withService(serviceIsReady, async (session) => {
    await deploy(session);
    await running(session);
    putCreating(session, runningPod(session));
    const lists = await listsOf(session, true);
    await session.pass(120);
    assert.is(lists.length, 2);
    assert.equal(causes(session), ['Ready CopiesStarting: 0 of 1 copies are ready']);
    await session.edit(({ cluster }) => {
      const status = {
        phase: 'Running',
        containerStatuses: [{ name: 'main', state: { waiting: { reason: 'ErrImagePull' } } }],
      };
      cluster.put(workloadPods, { ...runningPod(session), status } as KubeObject);
    });
    assert.match(causes(session)[0] ?? '', 'ImagePullFailed');
  }),
);

spec('DB-192 the pod of a database and the pod of its dump report the same', async () => {
  const session = await backupsSession();
  await session.pass(2);
  await session.run();
  await session.pass(70);
  const pod = runningPod(session);
  const labels = { [label.managedBy]: managedBy, [purposeLabel]: 'orders', [jobNameLabel]: 'orders-backup-first' };
  putCreating(session, { metadata: { name: 'dump-1', namespace: pod.metadata.namespace ?? '', labels } });
  await session.pass(35);
  assert.equal(causes(session), [`Backups ${volumeFailed}`]);
  session.environment.cluster.drop(workloadPods, 'dump-1', pod.metadata.namespace);
  await session.edit((environment) => kubelet(environment, 'starts'));
  putCreating(session, putRevision(session.environment, 'orders'));
  await session.pass(35);
  assert.ok(causes(session).includes(`Ready ${volumeFailed}`), causes(session).join());
  await session.end();
});

spec('LDB-082 the pod of the Job that creates a logical database reports the same', () =>
  withLogical({}, async (session) => {
    await session.pass(5);
    const [job] = session.environment.cluster.all(logicalJobs);
    if (!job) throw new Error('there is no Job');
    const labels = { ...job.metadata.labels, [label.managedBy]: managedBy, [jobNameLabel]: job.metadata.name };
    putCreating(session, { metadata: { name: 'create-1', namespace: job.metadata.namespace ?? '', labels } });
    await session.pass(35);
    assert.equal(causes(session), [`Ready ${volumeFailed}`]);
  }),
);

spec('OBS-038 the pod of a server of buckets reports the same', async () => {
  const { environment, pass, time, crash } = await startSession((given) => putStore(given, server, 'store'));
  const store = () => {
    const found = storeIn(environment, 'store');
    if (!found) throw new Error('there is no server');
    return found;
  };
  const session = { environment, time, object: store, pass: (seconds: number) => pass(seconds * 1_000) };
  putCreating(session, putRevision(environment, 'store'));
  await session.pass(35);
  assert.equal(causes(session), [`Ready ${volumeFailed}`]);
  await crash();
});

spec.run();
