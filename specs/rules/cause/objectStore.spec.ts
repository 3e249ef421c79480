import * as assert from 'uvu/assert';
import { objectStoreReady, type ObjectStoreStanding } from '../../../rules/objectStore/ready.ts';
import { suite } from '../../support/suite.ts';
import { hanging, input, told } from './told.ts';

const spec = suite('the causes of an object store');

const bucket: ObjectStoreStanding = {
  mode: 'Bucket',
  gate: 'Deployed',
  retrying: false,
  gaveUp: null,
  leaving: null,
  unremoved: '',
  unsupported: '',
  movedFrom: '',
  environment: 'live',
  project: { name: 'shop', is: 'fine' },
  cloud: null,
  server: { name: 'store', is: 'fine' },
  lackingTags: [],
  bucket: { is: 'working', region: '', secret: 's' },
  failure: null,
  isCurrent: true,
  runs: true,
};
const self = input('CoreObjectStore', {
  causeOf: (kind, name) => (kind === 'CoreObjectStore' || name === 'shop' ? hanging : undefined),
});
const lines = (change: Partial<ObjectStoreStanding>, given = self) =>
  told(objectStoreReady, { ...bucket, ...change }, given);

spec('a bucket that works has no cause', () => {
  assert.equal(lines({}), []);
});

spec('OBS-028 OBS-034 a wait for the project or the server ends in the root of that', () => {
  const root = ': namespace "shop-staging" is being deleted';
  assert.equal(lines({ project: { name: 'shop', is: 'notReady' } }), [
    `waiting ProjectNotReady on CoreProject shop: project "shop" is not ready${root}`,
  ]);
  assert.equal(lines({ server: { name: 'store', is: 'notReady' } }), [
    `waiting ServerNotReady on CoreObjectStore store: object store server "store" is not ready${root}`,
  ]);
});

spec('OBS-022 what was given up keeps the cause of the row that would hold otherwise', () => {
  const gaveUp = { by: 'failures' } as const;
  assert.match(lines({ gaveUp, project: { name: 'shop', is: 'notReady' } })[0] ?? '', /^waiting ProjectNotReady/);
  assert.equal(lines({ gaveUp }), []);
});

spec('OBS-030 a missing connection and one of another project are told apart', () => {
  const why = 'cloud connection "aws" was not found';
  assert.equal(lines({ cloud: { name: 'aws', is: 'absent', why } }), [
    `failure CloudConnectionMissing on CoreCloudConnection aws: ${why}`,
  ]);
  assert.match(lines({ cloud: { name: 'aws', is: 'foreign', why } })[0] ?? '', /^failure CloudConnectionForeign/);
});

spec('OBS-035 OBS-037 a refusal, a silence and an unusable account are told apart', () => {
  const on = 'on CoreObjectStore it';
  assert.equal(lines({ bucket: { is: 'failing', error: 'AccessDenied' } }), [
    `failure CloudRefused ${on}: the cloud refused the bucket: AccessDenied`,
  ]);
  assert.equal(lines({ bucket: { is: 'failing', error: 'timeout', by: 'silence' } }), [
    `failure CloudSilent ${on}: the cloud does not answer: timeout`,
  ]);
  assert.equal(lines({ bucket: { is: 'failing', error: 'no keys', by: 'account' } }), [
    `failure CloudConnectionMissing ${on}: no keys`,
  ]);
  assert.equal(lines({ bucket: { is: 'waiting', why: 'timeout', by: 'silence' } }), [
    `progress CloudSilent ${on}: the cloud does not answer: timeout`,
  ]);
  assert.equal(lines({ bucket: null }), [`progress ProviderStarting ${on}: The bucket is being made`]);
});

spec('OBS-036 the words of the cluster give the cause of a refused write', () => {
  const on = { kind: 'Secret', name: 'files-bucket', namespace: 'shop-live' };
  const terminating = 'unable to create new content in namespace shop-live because it is being terminated';
  assert.equal(lines({ failure: { why: terminating, on } }), [
    'failure NamespaceTerminating on Namespace shop-live: namespace "shop-live" is being deleted',
  ]);
  assert.match(lines({ failure: { why: 'forbidden' } })[0] ?? '', /^failure ClusterRefused on CoreObjectStore it/);
});

spec('OBS-038 the copies tell why a server starts; without them the message does', () => {
  const server = { mode: 'Server', runs: false } as const;
  const copies = () =>
    [
      { reason: 'ImagePullFailed', message: { text: 'image' }, on: { kind: 'Deployment', name: 'it', namespace: 'n' } },
    ] as const;
  assert.equal(lines(server, { ...self, copies }), ['failure ImagePullFailed on Deployment it: image']);
  assert.equal(lines(server), ['progress CopiesStarting on CoreObjectStore it: Object store is starting']);
});

spec('OBS-041a what cannot be removed is a failure of the deletion', () => {
  assert.equal(lines({ leaving: 'deletion', unremoved: 'AccessDenied' }), [
    'failure DeletionWaits on CoreObjectStore it: Object store is being deleted: AccessDenied',
  ]);
  assert.equal(lines({ leaving: 'deletion' }), []);
});

spec.run();
