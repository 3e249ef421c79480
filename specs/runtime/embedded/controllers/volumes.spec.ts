import * as assert from 'uvu/assert';
import { textAt } from '../../../../runtime/embedded/api/json.ts';
import { suite } from '../../../support/suite.ts';
import { type Controlled, condition, controlled } from './world.ts';

const volumes = suite('claims and volumes');
const claims = '/persistentvolumeclaims';
const mounting = (claimName: string) => ({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] });

const claim = (world: Controlled, name: string, spec: object = {}) =>
  world.create(claims, name, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    status: { phase: 'Pending' },
  });
const volume = (world: Controlled, name: string, spec: object = {}) =>
  world.createInCluster('/persistentvolumes', name, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' }, ...spec },
  });
const phase = (world: Controlled, name: string) => textAt(world.get(claims, name), 'status', 'phase');
const volumeOf = (world: Controlled, name: string) => textAt(world.get(claims, name), 'spec', 'volumeName');
const volumePhase = (world: Controlled, name: string) =>
  textAt(world.inCluster('/persistentvolumes', name), 'status', 'phase');

volumes('a claim with immediate binding gets a volume, which is deleted with the claim', async () => {
  const world = await controlled();
  await claim(world, 'data', { storageClassName: 'core-replicated' });
  await world.clock.turn(1);
  const name = volumeOf(world, 'data');
  assert.is(phase(world, 'data'), 'Bound');
  assert.is(volumePhase(world, name), 'Bound');
  assert.is(textAt(world.get(claims, 'data'), 'status', 'capacity', 'storage'), '1Gi');
  await world.remove(claims, 'data');
  await world.clock.turn(1);
  await world.remove(claims, 'data').catch(() => null);
  await world.clock.turn(1);
  assert.is(world.get(claims, 'data'), undefined);
  await world.end();
});

volumes('a claim that waits for its first pod is bound when the pod is placed', async () => {
  const world = await controlled();
  await claim(world, 'data', { storageClassName: 'core-single' });
  await world.clock.turn(1);
  assert.is(phase(world, 'data'), 'Pending');
  assert.is(world.events('WaitForFirstConsumer').length, 1);
  await world.pod('user', mounting('data'));
  await world.clock.turn(2);
  assert.is(phase(world, 'data'), 'Bound');
  const node = world.get(claims, 'data')?.metadata.annotations?.['volume.kubernetes.io/selected-node'];
  assert.is(world.getPod('user')?.spec?.nodeName, node);
  await world.end();
});

volumes('a pod waits for its claim with a reason', async () => {
  const world = await controlled();
  const preemption =
    'no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
  await world.pod('user', mounting('data'));
  await world.clock.turn(1);
  const why = () => condition(world.getPod('user'), 'PodScheduled')?.message;
  assert.is(why(), `0/3 nodes are available: persistentvolumeclaim "data" not found. ${preemption}`);
  await claim(world, 'data', { storageClassName: '' });
  await world.clock.turn(1);
  assert.is(why(), `0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. ${preemption}`);
  await volume(world, 'small', { capacity: { storage: '500Mi' } });
  await volume(world, 'large', { capacity: { storage: '5Gi' } });
  await volume(world, 'fits', { capacity: { storage: '2Gi' } });
  await world.clock.turn(1);
  assert.ok(['large', 'fits'].includes(volumeOf(world, 'data')));
  assert.ok(world.getPod('user')?.spec?.nodeName);
  assert.is(volumePhase(world, 'small'), 'Available');
  await world.end();
});

volumes('a claim gets the smallest volume that fits its size, mode, selector and name', async () => {
  const world = await controlled();
  await volume(world, 'huge', { capacity: { storage: '50Gi' } });
  await volume(world, 'fits', { capacity: { storage: '2Gi' } });
  await volume(world, 'shared', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'], capacity: { storage: '9Gi' } });
  await volume(world, 'kept', { claimRef: { namespace: 'core-system', name: 'later' } });
  await world.clock.turn(1);
  await claim(world, 'first', { storageClassName: '' });
  await claim(world, 'many', { storageClassName: '', accessModes: ['ReadWriteMany'] });
  await claim(world, 'named', { storageClassName: '', volumeName: 'huge' });
  await claim(world, 'later', { storageClassName: '' });
  await claim(world, 'none', { storageClassName: '' });
  await world.clock.turn(1);
  const bound = ['first', 'many', 'named', 'later', 'none'].map((name) => volumeOf(world, name));
  assert.equal(bound, ['fits', 'shared', 'huge', 'kept', '']);
  assert.is(world.events('FailedBinding').length, 1);
  await world.end();
});

volumes('a claim stays while a pod uses it, and its retained volume becomes Released', async () => {
  const world = await controlled();
  await volume(world, 'static', { persistentVolumeReclaimPolicy: 'Retain' });
  await claim(world, 'data', { storageClassName: '' });
  await world.pod('user', mounting('data'));
  await world.clock.turn(1);
  await world.remove(claims, 'data');
  await world.clock.turn(1);
  assert.equal(world.get(claims, 'data')?.metadata.finalizers, ['kubernetes.io/pvc-protection']);
  await world.remove('/pods', 'user');
  await world.clock.turn(1);
  assert.equal(world.get(claims, 'data')?.metadata.finalizers, []);
  await world.remove(claims, 'data');
  await world.clock.turn(1);
  assert.is(volumePhase(world, 'static'), 'Released');
  await world.end();
});

volumes('a volume grows with its claim', async () => {
  const world = await controlled();
  await claim(world, 'data', { storageClassName: 'core-replicated' });
  await world.clock.turn(1);
  await world.update(claims, 'data', ({ spec }) => ({
    spec: { ...(spec as object), resources: { requests: { storage: '3Gi' } } },
  }));
  await world.clock.turn(1);
  assert.is(textAt(world.get(claims, 'data'), 'status', 'capacity', 'storage'), '3Gi');
  await world.end();
});

volumes.run();
