import { statfsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { at, textAt } from '../../runtime/embedded/api/json.ts';
import { mostProcesses } from '../../runtime/embedded/nodes/podman/containerSpec.ts';
import { libpod } from '../../runtime/embedded/nodes/podman/libpod.ts';
import { tellsOf } from '../../runtime/embedded/nodes/podman/outOfMemory.ts';
import { faultOf, faultOfUser } from '../../runtime/embedded/nodes/podman/probe.ts';
import { withRemedy } from '../../runtime/embedded/nodes/podman/remedies.ts';
import { podmanSocket } from '../../runtime/embedded/nodes/podman/service.ts';
import { fullName, pullPolicyOf } from '../../runtime/embedded/nodes/podman/imageName.ts';
import { refusalOf } from '../../runtime/embedded/nodes/podman/refusals.ts';
import type { Pod } from '../../runtime/embedded/nodes/shapes.ts';
import { isPodmanHere } from '../../runtime/local/podmanHere.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { type OwnNode, nodeOn } from './node.ts';
import { type OwnPodman, importBusybox, lacksPodman, ownPodman } from './ownPodman.ts';

const spec = suite('pods on podman');
const real = unless(spec, lacksPodman());
let own: OwnPodman | null = null;
let node: OwnNode;
let image = '';

spec.before(async () => {
  if (lacksPodman() !== null) return;
  own = await ownPodman();
  image = await importBusybox(own);
  node = await nodeOn(own, {
    programs: () =>
      new Map([
        [
          'node.local/own',
          async ({ words, log, leave, environment, pathOf }) => {
            log.write(`${words.join(' ')} ${environment.get('A') ?? ''}\n`);
            leave(pathOf('/v/file') ?? '');
            return 7;
          },
        ],
      ]),
  });
});
spec.after(async () => {
  await node?.end();
  await own?.end();
});

const main = (script: string, more: object = {}) => ({
  terminationGracePeriodSeconds: 1,
  containers: [{ name: 'main', image, command: ['sh', '-c', script], ...more }],
});
const forever = 'trap "exit 0" TERM; while :; do sleep 0.1; done';

spec('an unsuitable podman is refused with a remedy', async () => {
  const usual = { rootless: false, backend: 'netavark' };
  assert.match(faultOf('4.2.9', usual) ?? '', /4\.2\.9 is too old: install podman 4\.3/);
  assert.match(faultOf('4.3.1', { ...usual, rootless: true }) ?? '', /start Core and podman as root/);
  assert.match(faultOf('4.3.1', { ...usual, backend: 'cni' }) ?? '', /install netavark/);
  assert.is(faultOf('5.0.0', usual), null);
  assert.match(faultOfUser(65_534) ?? '', /start Core and podman as root/);
  assert.is(faultOfUser(0), null);
  const remedies = [
    ['crun: cgroups in hybrid mode not supported', /install runc/],
    ['setrlimit `RLIMIT_NOFILE`: Operation not permitted: OCI permission denied', /default_ulimits/],
    ['runc: error setting rlimit type 7: operation not permitted: OCI permission denied', /default_ulimits/],
    ['netavark: No such file or directory (os error 2)', /install iptables/],
    ['building local pause image: finding pause binary: exec: "catatonit": executable file not found', /catatonit\)$/],
    ['Error: default OCI runtime "crun" not found: invalid argument', /install runc or crun/],
    ['Error: please update to v2.0.1 or later: outdated conmon version', /install netavark and conmon/],
  ] as const;
  for (const [words, remedy] of remedies) {
    assert.match(withRemedy(words), remedy);
    assert.ok(withRemedy(words).startsWith(words));
  }
  const refused = await podmanSocket({ socket: '/nowhere/podman.sock', folder: '/nowhere' }).catch((why: unknown) =>
    String(why),
  );
  assert.match(refused, /nobody answers at CORE_PODMAN_SOCKET \/nowhere\/podman\.sock/);
  const away = await libpod('/nowhere/podman.sock')
    .call({ method: 'GET', path: '/info' })
    .catch((why: unknown) => String(why));
  assert.match(String(away), /podman does not answer at \/nowhere/);
});

spec('an unsupported pod is refused with the field that is not supported', () => {
  const pod = (more: object, container: object = {}): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { containers: [{ name: 'main', image: 'web:1', ...container }], ...more },
  });
  const refused: readonly (readonly [string, Pod])[] = [
    ['spec.hostNetwork', pod({ hostNetwork: true })],
    ['spec.volumes[0].hostPath', pod({ volumes: [{ name: 'v', hostPath: { path: '/' } }] })],
    ['spec.containers[0].securityContext.privileged', pod({}, { securityContext: { privileged: true } })],
    [
      'spec.containers[0].resources.limits[nvidia.com/gpu]',
      pod({}, { resources: { limits: { 'nvidia.com/gpu': 1 } } }),
    ],
    ['spec.containers[0].lifecycle', pod({}, { lifecycle: { preStop: { exec: { command: ['true'] } } } })],
    ['spec.containers[0].livenessProbe.grpc', pod({}, { livenessProbe: { grpc: { port: 1 } } })],
    ['spec.resources', pod({ resources: { limits: { memory: '64Mi' } } })],
    ['spec.resourceClaims', pod({ resourceClaims: [{ name: 'a', resourceClaimName: 'b' }] })],
    [
      'spec.containers[0].volumeMounts[0].recursiveReadOnly',
      pod({}, { volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true, recursiveReadOnly: 'Enabled' }] }),
    ],
    ['spec.initContainers[0].restartPolicy', pod({ initContainers: [{ name: 'side', restartPolicy: 'Always' }] })],
  ];
  for (const [field, one] of refused) assert.is(refusalOf(one), `${field} is not run on a node of podman`);
  assert.is(refusalOf(pod({ volumes: [{ name: 'v', emptyDir: {} }] })), null);
  assert.is(refusalOf(pod({}, { lifecycle: { preStop: { sleep: { seconds: 5 } } } })), null);
});

spec('short image names and pull policies are completed as by a kubelet', () => {
  assert.is(fullName('nginx'), 'docker.io/library/nginx:latest');
  assert.is(fullName('team/web:1'), 'docker.io/team/web:1');
  assert.is(fullName('localhost:5000/web@sha256:ab'), 'localhost:5000/web@sha256:ab');
  assert.equal([pullPolicyOf('nginx', undefined), pullPolicyOf('nginx:1', undefined)], ['Always', 'IfNotPresent']);
});

interface Here {
  readonly uid: number;
  readonly version: string;
  readonly programs: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

spec('the start reports podman only when podman would run pods', async () => {
  const all = ['podman', 'conmon', 'netavark', 'iptables', 'catatonit', 'crun'];
  const may = { '/proc/self/status': 'CapEff:\t000001ffffffffff\n' };
  const mayNot = {
    '/proc/self/status': 'CapEff:\t000001fffeffffff\n',
    '/proc/self/limits': 'Max processes  96365  96365  processes\nMax open files  20000  unlimited  files\n',
  };
  const hybrid = { '/sys/fs/cgroup/unified/cgroup.controllers': '' };
  const settings = (text: string) => ({ '/etc/containers/containers.conf': text });
  const limits = settings('[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n');
  const isHere = ({ uid = 0, version = '4.3.1', programs = all, files = may }: Partial<Here> = {}) =>
    isPodmanHere({
      path: '/opt/bin',
      uid,
      settings: ['/etc/containers/containers.conf'],
      isProgram: (file) => programs.some((program) => file === `/opt/bin/${program}`),
      textIn: (file) => files[file] ?? null,
      version: async () => `podman version ${version}\n`,
    });
  assert.is(await isHere(), true);
  assert.is(await isHere({ uid: 1000 }), false);
  for (const one of all) assert.is(await isHere({ programs: all.filter((other) => other !== one) }), false, one);
  for (const version of ['4.2.9', '3.4.4', '']) assert.is(await isHere({ version }), false, version);
  for (const version of ['4.3.0', '5.0.0']) assert.is(await isHere({ version }), true, version);
  assert.is(await isHere({ files: mayNot }), false);
  assert.is(await isHere({ files: { ...mayNot, ...settings('#default_ulimits = []\n') } }), false);
  assert.is(await isHere({ files: { ...mayNot, ...limits } }), true);
  assert.is(await isHere({ files: { ...may, ...hybrid } }), false);
  const both = [...all, 'runc'];
  assert.is(await isHere({ programs: both, files: { ...may, ...hybrid } }), false);
  assert.is(
    await isHere({ programs: both, files: { ...may, ...hybrid, ...settings('[engine]\nruntime = "runc"\n') } }),
    true,
  );
});

real('a container has its environment, writes a log, accepts commands and stops within its grace period', async () => {
  const env = [
    { name: 'WORDS', value: `it's "so"\nand so` },
    { name: 'ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    { name: 'BOTH', value: '$(WORDS) $(NONE)' },
  ];
  await node.pod('web', main(`echo "$BOTH"; printf half; ${forever}`, { env }));
  await node.phase('web', 'Running');
  const address = textAt(node.get('web'), 'status', 'podIP');
  assert.match(address, /^10\.128\./);
  await until(async () => (await node.log('web')).endsWith('half'), 'the log, with a line that has no end yet');
  assert.is(await node.log('web'), `it's "so"\nand so $(NONE)\nhalf`);
  assert.is(await node.log('web', { tailLines: 2 }), 'and so $(NONE)\nhalf');
  const id = (node.statusOf('web')?.containerID ?? '').replace('podman://', '');
  const inspected = await own?.podman.call({ method: 'GET', path: `/containers/${id}/json` });
  assert.is(at(inspected, 'HostConfig', 'PidsLimit'), mostProcesses, 'it may not start processes without end');
  const entered = await node.exec('web', ['sh', '-c', 'echo $ADDRESS; echo err >&2; cat; exit 5'], { input: 'in\n' });
  assert.equal(entered, { exit: { is: 'exited', code: 5 }, out: `${address}\nin\n`, err: 'err\n' });
  const terminal = await node.exec('web', ['sh', '-c', 'test -t 0 && echo yes'], { tty: true });
  assert.is(terminal.out, 'yes\r\n');
  const absent = await node.exec('web', ['nope']);
  assert.is(absent.exit.is, 'failed');
  assert.is(absent.err, '');
  const gone = AbortSignal.timeout(300);
  await node.exec('web', ['sh', '-c', 'exec sleep 77'], { gone });
  const left = async () => (await node.exec('web', ['sh', '-c', 'cat /proc/[0-9]*/cmdline'])).out.includes('77');
  await until(async () => !(await left()), 'the command ends with who asked for it');
  await node.askToEnd('web', 5);
  await until(() => node.get('web') === undefined, 'the pod is gone');
  assert.equal(node.folders.pods(), []);
});

real('a container runs its preStop hook before SIGTERM, within its grace period', async () => {
  const script = 'trap "echo asked; exit 0" TERM; while :; do echo on; sleep 0.2; done';
  const lifecycle = { preStop: { sleep: { seconds: 2 } } };
  await node.pod('slow', main(script, { lifecycle }));
  await node.phase('slow', 'Running');
  const lines: string[] = [];
  const heard = node.follow('slow', (line) => lines.push(line));
  await until(() => lines.length > 0, 'it runs');
  const askedAt = performance.now();
  await node.askToEnd('slow', 30);
  await until(() => lines.includes('asked'), 'it is asked to end');
  assert.ok(performance.now() - askedAt >= 1_900, 'its preStop was over');
  await until(() => node.get('slow') === undefined, 'the pod is gone');
  assert.is(node.events('Killing').filter((event) => JSON.stringify(event).includes('slow')).length, 1);
  heard.stop();
});

real('an attached client receives all output until the container ends, without an error', async () => {
  await node.pod('brief', { restartPolicy: 'Never', ...main('sleep 1; echo last; exit 3') });
  await node.phase('brief', 'Running');
  assert.equal(await node.attach('brief'), { exit: { is: 'exited', code: 0 }, out: 'last\n', err: '' });
  await node.phase('brief', 'Failed');
});

real('init containers run first, and a container has its volumes, limits and termination message', async () => {
  await node.put('/configmaps', 'settings', { apiVersion: 'v1', kind: 'ConfigMap', data: { colour: 'red' } });
  const secret = Buffer.from('hidden').toString('base64');
  await node.put('/secrets', 'keys', { apiVersion: 'v1', kind: 'Secret', data: { key: secret } });
  const mounts = ['shared', 'settings', 'keys'].map((name) => ({ name, mountPath: `/${name}` }));
  const script = 'cat /shared/first /settings/colour /keys/key > /dev/termination-log; exit 3';
  await node.pod('whole', {
    restartPolicy: 'Never',
    initContainers: [
      { name: 'first', image, command: ['sh', '-c', 'echo 1 > /shared/first'], volumeMounts: mounts },
      { name: 'second', image, command: ['sh', '-c', 'echo 2 >> /shared/first'], volumeMounts: mounts },
    ],
    ...main(script, {
      volumeMounts: mounts,
      resources: { limits: { memory: '64Mi', cpu: '500m' } },
      securityContext: { runAsUser: 1000, capabilities: { drop: ['ALL'] } },
    }),
    volumes: [
      { name: 'shared', emptyDir: {} },
      { name: 'settings', configMap: { name: 'settings' } },
      { name: 'keys', secret: { secretName: 'keys' } },
    ],
  });
  await node.phase('whole', 'Failed');
  const state = node.statusOf('whole')?.state;
  assert.equal([at(state, 'terminated', 'exitCode'), at(state, 'terminated', 'message')], [3, '1\n2\nredhidden']);
  const tmpfs = 0x01021994;
  assert.is(statfsSync(node.folders.inMemory(node.get('whole')?.metadata.uid ?? '')).type, tmpfs);
});

real('a failed container is restarted and counted, and its former log is kept', async () => {
  await node.pod('fails', main('echo run; exit 4'));
  await until(() => node.statusOf('fails')?.restartCount === 1, 'it is run again at once');
  const reason = () => textAt(node.statusOf('fails')?.state, 'waiting', 'reason');
  await until(() => reason() === 'CrashLoopBackOff', 'it waits');
  assert.is(at(node.statusOf('fails')?.lastState, 'terminated', 'exitCode'), 4);
  assert.is(await node.log('fails', { previous: true }), 'run\n');
  await node.pod('absent', { containers: [{ name: 'main', image: 'registry.local/none:1' }] });
  await node.pod('misnamed', { containers: [{ name: 'main', image: 'a//b' }] });
  await node.pod('unstarted', main('', { command: ['nope'] }));
  await node.pod('host', { hostPID: true, ...main('true') });
  const held = (name: string) => at(node.statusOf(name)?.state, 'waiting');
  await until(() => textAt(held('absent'), 'reason') === 'ErrImagePull', 'the image is not there');
  await until(() => textAt(held('misnamed'), 'reason') === 'InvalidImageName', 'its name is none');
  const fault = `Failed to apply default image tag "a//b": couldn't parse image name "a//b": invalid reference format`;
  assert.is(textAt(held('misnamed'), 'message'), fault);
  assert.equal(
    node.events('InspectFailed').map((event) => [event['type'], event['message']]),
    [['Warning', fault]],
  );
  assert.ok(node.events('Failed').some(({ message }) => message === 'Error: InvalidImageName'));
  await until(() => textAt(held('host'), 'message') === 'spec.hostPID is not run on a node of podman', 'refused');
  const last = () => at(node.statusOf('unstarted')?.lastState, 'terminated');
  await until(() => textAt(last(), 'reason') === 'StartError', 'it cannot be started');
  assert.match(textAt(last(), 'message'), /executable file not found/);
});

real('a readiness probe by command makes a container ready, and a failed liveness probe restarts it', async () => {
  const often = { periodSeconds: 1, timeoutSeconds: 30, failureThreshold: 1 };
  const probe = (file: string) => ({ exec: { command: ['test', '-f', file] }, ...often });
  const script = `echo > /alive; ${forever}`;
  await node.pod('probed', main(script, { readinessProbe: probe('/ready'), livenessProbe: probe('/alive') }));
  await node.phase('probed', 'Running');
  assert.is(node.statusOf('probed')?.ready, false);
  await node.exec('probed', ['sh', '-c', 'echo > /ready']);
  await until(() => node.statusOf('probed')?.ready === true, 'it is ready');
  await node.exec('probed', ['sh', '-c', 'busybox rm /alive']);
  await until(() => node.statusOf('probed')?.restartCount === 1, 'it is run again');
});

real('a container over its memory limit is OOMKilled, and one that kills itself is not', async () => {
  const limits = { limits: { memory: '16Mi' } };
  await node.pod('hungry', {
    restartPolicy: 'Never',
    containers: [{ name: 'main', image, command: ['busybox', 'tail', '/dev/zero'], resources: limits }],
  });
  await node.pod('killed', { restartPolicy: 'Never', ...main('kill -9 $$$$; busybox kill -9 1; sleep 9; exit 137') });
  await node.phase('hungry', 'Failed');
  const ended = (name: string) => at(node.statusOf(name)?.state, 'terminated');
  assert.equal([textAt(ended('hungry'), 'reason'), at(ended('hungry'), 'exitCode')], ['OOMKilled', 137]);
  await node.phase('killed', 'Failed');
  assert.equal([textAt(ended('killed'), 'reason'), at(ended('killed'), 'exitCode')], ['Error', 137]);
});

spec('the kernel log identifies the container of a killed process', () => {
  const record =
    '6,1,2,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/libpod_parent/p/abc,task_memcg=/libpod_parent/p/abc,task=tail,pid=9,uid=0';
  assert.equal([tellsOf(record, 'abc'), tellsOf(record, 'abd'), tellsOf('6,1,2,-;abc', 'abc')], [true, false, false]);
});

real('the next server adopts running containers, reads exit codes and starts none twice', async () => {
  await node.pod('lives', main(forever));
  await node.pod('ends', { restartPolicy: 'Never', ...main('sleep 1; exit 9') });
  await node.pod('removed', main(forever));
  for (const name of ['lives', 'ends', 'removed']) await node.phase(name, 'Running');
  const before = node.statusOf('lives')?.containerID;
  const id = (node.statusOf('removed')?.containerID ?? '').replace('podman://', '');
  await node.restart(async () => {
    await own?.podman.call({ method: 'DELETE', path: `/containers/${id}`, query: { force: 'true', timeout: '0' } });
    await new Promise((done) => setTimeout(done, 1_000));
  });
  await node.phase('ends', 'Failed');
  assert.is(at(node.statusOf('ends')?.state, 'terminated', 'exitCode'), 9);
  await until(() => node.statusOf('removed')?.restartCount === 1, 'what was removed is run again');
  assert.equal([node.statusOf('lives')?.containerID, node.statusOf('lives')?.restartCount], [before, 0]);
});

real('an image that the node provides runs with its arguments, volumes and termination message', async () => {
  await node.pod('own', {
    restartPolicy: 'Never',
    containers: [
      {
        name: 'main',
        image: 'node.local/own',
        args: ['say', '$(A)'],
        env: [{ name: 'A', value: 'a' }],
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
      },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
  });
  await node.phase('own', 'Failed');
  const ended = at(node.statusOf('own')?.state, 'terminated');
  assert.is(at(ended, 'exitCode'), 7);
  assert.match(textAt(ended, 'message'), /\/volumes\/v\/file$/);
  assert.is(await node.log('own'), 'say a a\n');
});

spec.run();
