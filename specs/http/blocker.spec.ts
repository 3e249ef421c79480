import * as assert from 'uvu/assert';
import type { CoreObjectStore } from '../../crds/coreObjectStore.ts';
import { annotation, jobNameLabel, systemNamespace } from '../../crds/names.ts';
import type { Explanation } from '../../http/api.ts';
import { jobName } from '../../rules/build/build.ts';
import { objectStores } from '../../runtime/services/cluster/kinds.ts';
import type { Pod } from '../../crds/builtIn.ts';
import { events, jobs, pods, secrets } from '../../runtime/services/cluster/resources.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { serveAs, tokenOf } from './asCaller.ts';
import { type Served, serve } from './served.ts';

const blocker = suite('explanations of blocked Jobs');
let served: Served;
let build = '';
/** A ready store that accepts no writes. */
function putStore(): void {
  served.world.store.failing = true;
  const metadata = { name: 'logs', namespace: systemNamespace };
  served.world.cluster.put(secrets, { metadata, data: { ACCESS_KEY_ID: 'YQ==', ACCESS_SECRET_KEY: 'cw==' } });
  const at = '2026-01-01T00:00:00.000Z';
  const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: at } as const;
  const status = { endpoint: 'http://store', bucket: 'logs', credentialSecret: 'logs', conditions: [ready] };
  served.world.cluster.put(objectStores, {
    metadata: { ...metadata, annotations: { [annotation.paused]: 'true' } },
    spec: {} as CoreObjectStore['spec'],
    status,
  });
}
blocker.before.each(async () => {
  served = await serve();
  putStore();
  build = await served.addApp('shop', { logStoreRef: { name: 'logs' } });
  await until(() => served.world.build(build)?.status?.phase === 'Running', 'the build runs');
});
blocker.after.each(() => served.stop());

const job = () => served.world.cluster.all(jobs).find(({ metadata }) => metadata.name === jobName(build));
const explain = async () => (await served.ask(`/api/v1/builds/${build}/explain`)).json() as Explanation;
const sentence = (text: string) =>
  until(async () => (await explain()).text === text, text).catch(async () => assert.is((await explain()).text, text));

/** A pod as the Job controller creates it, with a status. */
function putPod(name: string, status: Pod['status'], metadata: object = {}): Pod {
  const run = served.world.build(build)?.status?.startedAt ?? '';
  return served.world.cluster.put(pods, {
    metadata: {
      name,
      namespace: systemNamespace,
      uid: `uid-of-${name}`,
      labels: { [jobNameLabel]: jobName(build) },
      annotations: { [annotation.run]: run },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: jobName(build), uid: job()?.metadata.uid ?? '' }],
      ...metadata,
    },
    status: { phase: 'Pending', ...status },
  });
}
const git = (state: object): Pod['status'] => ({ initContainerStatuses: [{ name: 'git', state }] });
const tell = (reason: string, uid: string, message: string) =>
  served.world.cluster.put(events, {
    metadata: { name: `told-${reason.toLowerCase()}`, namespace: systemNamespace },
    involvedObject: { uid },
    reason,
    message,
    lastTimestamp: new Date(Date.now() - 5_000).toISOString(),
  } as Parameters<typeof served.world.cluster.put>[1]);

const runs = 'the builder Job runs';

blocker('an unschedulable pod is explained with the message of the scheduler and the next check', async () => {
  const message = '0/3 nodes are available: 3 node(s) had untolerated taint(s).';
  putPod('p', { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] });
  await sentence(`${runs}: pod "p" finds no node: ${message}`);
  const { nextLook, state, decision } = await explain();
  assert.equal([state, decision.is, typeof nextLook], ['Running', 'moves', 'string']);
});

blocker('a failed image pull or container configuration is explained with container and reason', async () => {
  const message = 'Back-off pulling image "git:1": not found';
  putPod('p', git({ waiting: { reason: 'ImagePullBackOff', message } }));
  await sentence(`${runs}: container "git" of pod "p" cannot start: ImagePullBackOff: ${message}`);
  putPod('p', git({ waiting: { reason: 'CreateContainerConfigError', message: 'secret "t" not found' } }));
  await sentence(`${runs}: container "git" of pod "p" cannot start: CreateContainerConfigError: secret "t" not found`);
  putPod('p', git({ waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } }));
  await sentence(`${runs}: container "git" of pod "p" cannot start: CrashLoopBackOff: back-off 10s`);
  putPod('p', { phase: 'Running', ...git({ running: {} }) });
  await sentence(runs);
});

blocker('a failed mount is explained with the message of the kubelet until the pod starts', async () => {
  const message = 'MountVolume.SetUp failed for volume "registry" : secret "r" not found';
  putPod('p', git({ waiting: { reason: 'PodInitializing' } }));
  tell('FailedMount', 'uid-of-p', message);
  await sentence(`${runs}: pod "p" cannot start: FailedMount: ${message}`);
  putPod('p', { phase: 'Running', ...git({ running: {} }) });
  await sentence(runs);
});

blocker('a Job whose pods exceed a quota is explained until a pod is created', async () => {
  const message = 'Error creating: pods "x" is forbidden: exceeded quota: small';
  tell('FailedCreate', job()?.metadata.uid ?? '', message);
  await sentence(`${runs}: its pods are refused: ${message}`);
  putPod('p', git({ running: {} }));
  await sentence(runs);
});

blocker('a failed clone is explained by the end of its log, also while the log is being stored', async () => {
  const message = "Cloning into '/workspace'...\nfatal: Remote branch gone not found in upstream origin";
  putPod('p', { phase: 'Failed', ...git({ terminated: { exitCode: 128, message } }) });
  const end =
    'container "git" of pod "p" ended with exit code 128: fatal: Remote branch gone not found in upstream origin';
  await sentence(`${runs}: ${end}`);
  const found = job();
  assert.ok(found);
  served.world.cluster.put(jobs, {
    ...found,
    status: { failed: 3, conditions: [{ type: 'Failed', status: 'True' }] },
  });
  await until(() => served.world.build(build)?.status?.phase === 'Failed', 'the build failed');
  await sentence(`${end}; only a push, a rebuild or a reset runs it again`);
  assert.is((await explain()).nextLook ?? null, null, 'no further check is scheduled');
  assert.is(served.world.build(build)?.status?.failureReason, 'builder Job failed');
});

blocker('a pod that is not owned by its Job is explained with the missing owner reference or annotation', async () => {
  const uid = job()?.metadata.uid ?? '';
  const run = served.world.build(build)?.status?.startedAt ?? '';
  putPod('p', {}, { ownerReferences: [], annotations: {} });
  const owner = `an owner reference to the Job with the uid ${uid}`;
  const mark = `the annotation core.platform/run: ${run}`;
  await sentence(`${runs}: pod "p" is not the Job's own: it lacks ${owner} and ${mark}`);
  putPod('p', {}, { ownerReferences: [] });
  await sentence(`${runs}: pod "p" is not the Job's own: it lacks ${owner}`);
  putPod('p', {}, { annotations: {} });
  await sentence(`${runs}: pod "p" is not the Job's own: it lacks ${mark}`);
  putPod('p', {});
  await sentence(runs);
});

blocker(
  'AUT-031 AUT-036 an explanation shows the texts of pods to an observer and hides them from a viewer',
  async () => {
    putPod('p', git({ waiting: { reason: 'ErrImagePull', message: 'no access to acme/hush' } }));
    await sentence(`${runs}: container "git" of pod "p" cannot start: ErrImagePull: no access to acme/hush`);
    const [viewer, observer] = [await serveAs(served, tokenOf('viewer')), await serveAs(served, tokenOf('observer'))];
    const told = async (url: string) => (await fetch(`${url}/api/v1/builds/${build}/explain`)).text();
    const least = await told(viewer.url);
    assert.not.match(least, 'hush');
    assert.is(
      (JSON.parse(least) as Explanation).text,
      `${runs}: container "git" of pod "…" cannot start: ErrImagePull: …`,
    );
    const seen = JSON.parse(await told(observer.url)) as Explanation;
    assert.match(JSON.stringify(seen.facts['hindrance']), 'no access to acme/hush');
    assert.is(seen.text, `${runs}: container "git" of pod "p" cannot start: ErrImagePull: no access to acme/hush`);
    await Promise.all([viewer.stop(), observer.stop()]);
  },
);

blocker.run();
