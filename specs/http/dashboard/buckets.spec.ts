import * as assert from 'uvu/assert';
import type { Dependent, Read, Summary } from '../../../http/api.ts';
import { bucketShape } from '../../../http/dashboard/model/connection.ts';
import { discardsAt } from '../../../http/dashboard/model/databaseDiscard.ts';
import { databaseBody } from '../../../http/dashboard/model/databaseSettings.ts';
import {
  bucketEntries,
  emptyResource,
  madeWords,
  newResourceBody,
} from '../../../http/dashboard/pages/addResource/model.ts';
import {
  emptyStoreServer,
  frozenOfStore,
  placeOfStore,
  storeGoes,
  storeOnDeploy,
  storeServerBody,
  storeStays,
  usersOfStore,
} from '../../../http/dashboard/model/objectStore.ts';
import { kindOf, resourceRows } from '../../../http/dashboard/model/resourceFilter.ts';
import { suite } from '../../support/suite.ts';
import { summary } from './summary.ts';

const buckets = suite('bucket pages');

const place = { project: 'shop', environment: 'production' };
const store = (over: Partial<Summary> = {}, details: object = {}): Summary =>
  summary('files', {
    kind: 'CoreObjectStore',
    details: { mode: 'Bucket', bucket: 'core-files-1', ...details },
    ...over,
  });
const server = (over: Partial<Summary> = {}): Summary =>
  store({ name: 'store', displayName: 'store', ...over, project: '', environment: '' }, { mode: 'Server', bucket: '' });
const account = (name: string, over: Partial<Summary> = {}, provider = 'Cloud'): Summary =>
  summary(name, { kind: 'CoreCloudConnection', environment: '', details: { provider }, ...over });
const read = (resource: Summary, spec: object = {}, status: object = {}): Read => ({
  resource,
  spec: { ...spec },
  status: { ...status },
});
const inAccount = { connectionRef: { name: 'aws' } };

buckets('KND-048 a bucket is offered for each linked account and server and created as a draft', () => {
  const entries = bucketEntries(
    [account('aws'), account('new', { state: 'pending' }), account('provider', {}, 'ManagedDb')],
    [store(), server()],
  );
  assert.equal(
    entries.map(({ label, refused }) => [label, refused]),
    [
      ['Bucket in aws', null],
      ['Bucket in new', 'The connection is pending: it has to be ready first.'],
      ['Bucket on store', null],
    ],
  );
  const bodies = entries.map((entry) => newResourceBody(entry, { ...emptyResource, name: 'files' }, place, 'draft'));
  const common = { ...place, name: 'files', mode: 'Bucket', draft: true };
  assert.equal(bodies[0], { ...common, connectionRef: { name: 'aws' } });
  assert.equal(bodies[2], { ...common, serverRef: { name: 'store' } });
  assert.equal(
    madeWords(entries[0] as never).map(([name]) => name),
    ['Account', 'Bucket'],
  );
});

buckets('KND-048 an object-store server has no project and sends only the name and disk entered', () => {
  assert.equal(storeServerBody(emptyStoreServer, 'draft'), { mode: 'Server', storageSize: '10Gi', draft: true });
  assert.equal(storeServerBody({ name: ' store ', storageSize: ' ' }, 'deploy'), {
    mode: 'Server',
    name: 'store',
    deploy: true,
  });
});

buckets('a bucket is not offered without an account or server, and the entry gives the reason', () => {
  const [only] = bucketEntries([account('provider', {}, 'ManagedDb')], [store()]);
  assert.match(String(only?.refused), /^Link a cloud account/);
});

buckets('a list names buckets and object stores by kind and finds their instance', () => {
  assert.equal([store(), server()].map(kindOf), ['bucket', 'object store']);
  const instance = { kind: 'CoreObjectStore', name: 'files', machine: 'objectStore', retrying: true, since: 'now' };
  const [row] = resourceRows([store()], [instance as never], (name) => name);
  assert.is(row?.filtered.retrying, true);
});

buckets('a bucket connection hides the secret key and names its Secret when the bucket exists', () => {
  assert.equal(
    bucketShape.covered.map(([key]) => key),
    ['secretAccessKey'],
  );
  assert.is(bucketShape.secretOf('files', { bucket: 'core-files-1' }), 'files-bucket');
  assert.is(bucketShape.secretOf('files', {}), '');
});

buckets('a deletion lists the bucket as lost when Core named it, and as kept otherwise', () => {
  assert.match(storeGoes(read(store(), inAccount))[0] ?? '', /^the bucket core-files-1 with everything in it/);
  const named = read(store({}, { bucket: 'photos' }), { ...inAccount, bucket: 'photos' });
  assert.not(storeGoes(named).join().includes('the bucket'));
  assert.is(storeStays(named)[0], 'the bucket photos, and what is in it');
  assert.match(storeGoes(read(server())).join(), /its disk with everything on it/);
  assert.equal(storeStays(read(server())), ['its history, for 30 days']);
});

buckets('the users of a store are named: services, build logs and buckets', () => {
  const of = (by: Dependent['by'], name: string) => ({
    kind: '',
    name,
    project: 'shop',
    environment: 'production',
    by,
  });
  assert.equal(usersOfStore([of('logs', 'site'), of('server', 'files'), of('connection', 'web')]), [
    'service web',
    'build logs of service site',
    'bucket files',
  ]);
});

buckets('only a server changes its disk by a deploy, and each fixed fact gives the reason', () => {
  const fields = storeOnDeploy(read(server()));
  assert.equal(databaseBody(fields, { storageSize: '10Gi' }, { storageSize: ' 20Gi ' }), { storageSize: '20Gi' });
  assert.equal(storeOnDeploy(read(store())), []);
  const change = { path: 'spec.storageSize', deployed: '10Gi', saved: '20Gi' };
  assert.equal(discardsAt({ kind: 'CoreObjectStore', name: 'store' }, [change as never]), [
    { method: 'PATCH', path: '/api/v1/object-stores/store', body: { storageSize: '10Gi' } },
  ]);
  assert.is(placeOfStore(read(store(), inAccount)), 'in the account of aws');
  assert.is(placeOfStore(read(store(), { serverRef: { name: 'store' } })), 'on the object store store');
  assert.equal(
    frozenOfStore(read(store({ state: 'draft' }, { bucket: '' }), inAccount)).map(({ value }) => value),
    ['in the account of aws', 'is named at the first deploy'],
  );
});

buckets.run();
