import * as assert from 'uvu/assert';
import type { Read, Summary } from '../../../http/api.ts';
import {
  bucketAccounts,
  connectionBody,
  keysBody,
  storageBody,
  storageOf,
  storageStatus,
} from '../../../http/dashboard/model/cloudAccounts.ts';
import { suite } from '../../support/suite.ts';
import { summary } from './summary.ts';

const clouds = suite('cloud connection pages');

const read = (resource: Summary, spec: object): Read => ({ resource, spec: { ...spec }, status: {} });

clouds('UI-005 an account is linked with the fields of its provider, and backup storage with the chosen one', () => {
  assert.equal(
    connectionBody({
      name: 'aws',
      provider: 'Cloud',
      region: 'eu',
      accessKeyId: 'A',
      secretAccessKey: 'S',
      token: 'no',
    }),
    { name: 'aws', provider: 'Cloud', region: 'eu', accessKeyId: 'A', secretAccessKey: 'S' },
  );
  assert.equal(connectionBody({ name: 'db', provider: 'ManagedDb', organization: 'o', token: 'a:b', region: '' }), {
    name: 'db',
    provider: 'ManagedDb',
    organization: 'o',
    token: 'a:b',
  });
  assert.is(keysBody('Cloud', { accessKeyId: ' ', region: 'eu' }), null, 'no key is typed');
  assert.equal(keysBody('Cloud', { secretAccessKey: ' S2 ', endpoint: 'https://x' }), { secretAccessKey: 'S2' });
  assert.equal(keysBody('ManagedDb', { token: 'c:d', accessKeyId: 'A' }), { token: 'c:d' });
  assert.equal(storageBody('aws', ''), { connection: 'aws' });
  assert.equal(storageBody('aws', ' shop-backups '), { connection: 'aws', bucket: 'shop-backups' });
  const project = (backupStorage?: object) => read(summary('shop', { kind: 'CoreProject' }), { backupStorage });
  assert.is(storageOf(project()), null);
  const said = (status: string) => ({ type: 'BackupStorage', status, message: 'backup storage works' });
  const standing = (...conditions: readonly object[]) => storageStatus({ ...project(), status: { conditions } });
  assert.is(standing({ type: 'Ready', status: 'True' }), null);
  assert.equal(
    ['True', 'False', 'Unknown'].map((status) => standing(said(status))?.tone),
    ['good', 'bad', 'waiting'],
  );
  assert.equal(storageOf(project({ connectionRef: { name: 'aws' }, bucket: 'b' })), { connection: 'aws', bucket: 'b' });
  const account = (provider: string) => summary(provider, { kind: 'CoreCloudConnection', details: { provider } });
  assert.equal(
    bucketAccounts([account('Cloud'), account('ManagedDb')]).map(({ name }) => name),
    ['Cloud'],
  );
});

clouds.run();
