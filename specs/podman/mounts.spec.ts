import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { at, listAt, textAt } from '../../runtime/embedded/api/json.ts';
import { hostsFile } from '../../runtime/embedded/nodes/podman/hosts.ts';
import { resolverOf } from '../../runtime/embedded/nodes/podman/resolver.ts';
import { areMounted, placeBelow } from '../../runtime/embedded/nodes/podman/subPaths.ts';
import type { Pod } from '../../runtime/embedded/nodes/shapes.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { type OwnNode, nodeOn } from './node.ts';
import { type OwnPodman, importBusybox, lacksPodman, ownPodman } from './ownPodman.ts';

const lacking = isWhole ? lacksPodman() : 'what containers have mounted is played by `npm run whole`';
const spec = suite('mounts of pods on podman');
const real = unless(spec, lacking);
const folder = mkdtempSync(join(tmpdir(), 'core-mounts-'));
let own: OwnPodman;
let node: OwnNode;
let image = '';

spec.before(async () => {
  if (lacking !== null) return;
  own = await ownPodman();
  image = await importBusybox(own);
  node = await nodeOn(own);
});
spec.after(async () => {
  await node?.end();
  await own?.end();
  rmSync(folder, { recursive: true });
});

const podWith = (more: object): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2030-01-01T00:00:00Z',
  },
  spec: { ...more },
});

spec('a missing subPath is created, and a link cannot lead out of the volume', () => {
  const volume = join(folder, 'volume');
  mkdirSync(join(volume, 'within'), { recursive: true });
  mkdirSync(join(folder, 'beside'));
  writeFileSync(join(volume, 'file'), '');
  const links = {
    absolute: '/etc',
    above: '../beside',
    chained: 'above',
    round: 'round',
    relative: 'within/deep',
    back: 'within/../file',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(volume, name));
  for (const out of ['absolute', 'absolute/passwd', 'above', 'chained', 'round', '..', 'within/../../beside'])
    assert.is(placeBelow(volume, out), null, out);
  assert.is(placeBelow(volume, 'relative'), join(volume, 'within/deep'), 'a link within leads there');
  assert.is(placeBelow(volume, 'back'), join(volume, 'file'));
  assert.is(placeBelow(volume, './a//b/'), join(volume, 'a/b'));
  assert.ok(statSync(join(volume, 'a/b')).isDirectory());
  assert.not.ok(existsSync(join(folder, 'beside/deep')));
  assert.throws(() => placeBelow(volume, 'file/below'), /ENOTDIR/);
});

spec('mounts of a process are listed by their path in its file system', () => {
  const [line = ''] = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const target = line.split(' ')[4] ?? '';
  assert.ok(areMounted([target], process.pid));
  assert.not.ok(areMounted([join(folder, 'nowhere')], process.pid));
  assert.not.ok(
    areMounted(
      Array.from({ length: 1_000 }, () => target),
      process.pid,
    ),
    'each of them takes one',
  );
});

spec('the hosts file of a pod contains the pod and its aliases, and nothing of the machine', () => {
  const lines = (more: object) => hostsFile(podWith(more), '10.128.0.9').trimEnd().split('\n').slice(1);
  assert.equal(lines({}), ['127.0.0.1\tlocalhost', '10.128.0.9\tweb']);
  const hostAliases = [{ ip: '192.0.2.1', hostnames: ['one.example', 'two'] }];
  assert.equal(lines({ hostname: 'own', subdomain: 'peers', hostAliases }), [
    '127.0.0.1\tlocalhost',
    '10.128.0.9\town.peers.shop.svc.cluster.local\town',
    '',
    '# Entries added by HostAliases.',
    '192.0.2.1\tone.example\ttwo',
  ]);
});

spec('the resolver of a pod follows its dnsPolicy and dnsConfig', () => {
  const dnsConfig = { nameservers: ['192.0.2.53'], searches: ['example'], options: [{ name: 'ndots', value: '2' }] };
  const dns = (more: object, address: string | null = '10.96.0.10') => resolverOf(podWith(more), address).dns;
  const searches = ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local'];
  assert.equal(dns({}), { servers: ['10.96.0.10'], searches, options: ['ndots:5'] });
  assert.equal(dns({ dnsConfig }), {
    servers: ['10.96.0.10', '192.0.2.53'],
    searches: [...searches, 'example'],
    options: ['ndots:2'],
  });
  assert.equal(dns({ dnsPolicy: 'None', dnsConfig }), {
    servers: ['192.0.2.53'],
    searches: ['example'],
    options: ['ndots:2'],
  });
  assert.is(dns({ dnsPolicy: 'Default' }), undefined, "podman takes the machine's");
  assert.ok(dns({ dnsPolicy: 'Default', dnsConfig })?.servers.includes('192.0.2.53'));
});

const main = (script: string, more: object = {}) => ({
  terminationGracePeriodSeconds: 1,
  containers: [{ name: 'main', image, command: ['busybox', 'sh', '-c', script], ...more }],
});
const waiting = (name: string) => textAt(node.statusOf(name)?.state, 'waiting', 'message');

real('a subPath that is a link out of a volume is refused, and the pod does not start', async () => {
  const volumeMounts = [{ name: 'v', mountPath: '/v' }];
  const link = ['busybox', 'ln', '-s', folder, '/v/out'];
  await node.pod('escape', {
    ...main('busybox ls /v', { volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'out' }] }),
    initContainers: [{ name: 'links', image, command: link, volumeMounts }],
    volumes: [{ name: 'v', emptyDir: {} }],
  });
  await until(() => /out leads out of the volume/.test(waiting('escape')), 'it is refused');
  await node.askToEnd('escape', 0);
});

real('a subPath of a claim is mounted alone and keeps its files for the next pod', async () => {
  await node.put('/persistentvolumeclaims', 'data', {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    spec: { volumeName: 'pv-data', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    status: { phase: 'Bound' },
  });
  const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }];
  const part = { volumeMounts: [{ name: 'd', mountPath: '/part', subPath: 'a/b' }] };
  await node.pod('writes', { restartPolicy: 'Never', volumes, ...main('echo kept > /part/file', part) });
  await node.phase('writes', 'Succeeded');
  const whole = { volumeMounts: [{ name: 'd', mountPath: '/d' }] };
  await node.pod('reads', { restartPolicy: 'Never', volumes, ...main('busybox cat /d/a/b/file', whole) });
  await node.phase('reads', 'Succeeded');
  assert.is(await node.log('reads'), 'kept\n');
});

real('ConfigMap and downward API volumes are read-only and updated, and a missing workingDir is created', async () => {
  await node.put('/configmaps', 'settings', { apiVersion: 'v1', kind: 'ConfigMap', data: { colour: 'red' } });
  const script = 'pwd; busybox touch /told/x /settings/x; trap "exit 0" TERM; while :; do sleep 0.1; done';
  const mounted = ['told', 'settings'].map((name) => ({ name, mountPath: `/${name}` }));
  await node.pod('filled', {
    ...main(script, { workingDir: '/not/there', volumeMounts: mounted, resources: { limits: { cpu: '300m' } } }),
    volumes: [
      { name: 'settings', configMap: { name: 'settings' } },
      {
        name: 'told',
        downwardAPI: {
          items: [
            { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
            { path: 'cpu', resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1m' } },
          ],
        },
      },
    ],
  });
  await until(async () => (await node.log('filled')).split('Read-only file system').length === 3, 'both are refused');
  assert.match(await node.log('filled'), /^\/not\/there\n/);
  const told = async () => (await node.exec('filled', ['busybox', 'cat', '/told/labels', '/told/cpu'])).out;
  assert.is(await told(), '300');
  await node.relabel('filled', { b: '2', a: '1' });
  await until(async () => (await told()) === 'a="1"\nb="2"300', 'the labels are told anew, in order');
});

real('volumes declared by an image are removed with their containers', async () => {
  const name = 'registry.local/base/keeps:1';
  await own.importRoot(name, join(own.folder, 'busybox'), 'VOLUME /kept');
  const volumes = async () => {
    const found = await own.podman.call({ method: 'GET', path: '/volumes/json' });
    return listAt({ found }, 'found').filter((one) => !textAt(one, 'Name').startsWith('core-')).length;
  };
  await node.pod('keeps', main('busybox touch /kept/file; exit 1', { image: name }));
  await until(() => node.statusOf('keeps')?.restartCount === 2, 'it is run again twice', 40_000);
  await until(async () => (await volumes()) <= 2, 'those of the last two runs are left');
  await node.askToEnd('keeps', 0);
  await until(() => node.get('keeps') === undefined, 'it is gone');
  assert.is(await volumes(), 0);
});

real('a pod is ended at its deadline, or when its volume exceeds its limit', async () => {
  await node.pod('late', { ...main('busybox sleep 1000'), activeDeadlineSeconds: 1 });
  await node.pod('full', {
    ...main('busybox dd if=/dev/zero of=/v/file bs=1M count=3; busybox sleep 1000', {
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
    }),
    volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Mi' } }],
  });
  await node.phase('late', 'Failed');
  assert.is(at(node.get('late'), 'status', 'reason'), 'DeadlineExceeded');
  await node.phase('full', 'Failed');
  const status = node.get('full')?.status;
  const expected = 'Usage of EmptyDir volume "v" exceeds the limit "1Mi". ';
  assert.equal([at(status, 'reason'), at(status, 'message')], ['Evicted', expected]);
  assert.is(at(node.statusOf('full')?.state, 'terminated', 'exitCode'), 137);
});

real('a pod is ready when its readiness gates are true', async () => {
  await node.pod('gated', { ...main('busybox sleep 1000'), readinessGates: [{ conditionType: 'example/open' }] });
  await node.phase('gated', 'Running');
  const ready = () => node.get('gated')?.status?.conditions?.find(({ type }) => type === 'Ready');
  assert.equal([ready()?.status, ready()?.reason], ['False', 'ReadinessGatesNotReady']);
  await node.condition('gated', { type: 'example/open', status: 'True' });
  await until(() => ready()?.status === 'True', 'it is ready');
});

spec.run();
