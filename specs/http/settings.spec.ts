import * as assert from 'uvu/assert';
import type { Settings } from '../../http/api.ts';
import { platformConfigs } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { passwordHash, serve, type Served } from './served.ts';

const spec = suite('platform settings over REST');
let served: Served;
spec.before.each(async () => {
  served = await serve({}, { vera: { role: 'viewer', password: passwordHash, epoch: 0 } });
});
spec.after.each(() => served.stop());

const base = '/api/settings';
const config = () => served.world.cluster.all(platformConfigs).find(({ metadata }) => metadata.name === 'platform');
const secret = (name: string) => served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === name);
const keyIn = (name: string, key: string) => secretText(secret(name), key);
const save = async (what: string, body: object) => {
  const { status, text } = await served.post(`${base}/${what}`, body);
  return status === 200 ? 'saved' : `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`;
};
const read = async () => (await served.ask(base)).json() as Settings;
const form = (what: string, fields: Readonly<Record<string, string>>) =>
  served.ask(`${base}/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });

spec('PLC-068 a domain setting left out is kept, and an empty one is removed', async () => {
  assert.is(await save('domain/save', { rootDomain: 'example.org', dnsZoneID: 'z1' }), 'saved');
  assert.equal(config()?.spec, { rootDomain: 'example.org', dnsZoneID: 'z1', dashboardExposure: 'ingress' });
  assert.is(
    await save('domain/save', { dashboardURL: 'https://ui.example.org', dashboardExposure: 'tunnel' }),
    'saved',
  );
  assert.is(config()?.spec.rootDomain, 'example.org');
  assert.is(await save('domain/save', { rootDomain: '', dnsZoneID: '' }), 'saved');
  assert.equal(config()?.spec, { dashboardURL: 'https://ui.example.org', dashboardExposure: 'tunnel' });
  assert.match(await save('domain/save', { rootDomain: 'nodot' }), /^400 rootDomain/);
  assert.match(await save('domain/save', { dashboardURL: 'http://ui.example.org' }), /^400 dashboardURL/);
  assert.match(await save('domain/save', { other: 1 }), /^400/);
  assert.is(config()?.spec.dashboardURL, 'https://ui.example.org');
});

spec('PLC-018 PLC-069 the DNS credentials are stored in a Secret before the settings reference it', async () => {
  assert.is(await save('dns/save', { accountId: 'a' }), '400 apiToken is required');
  assert.is(secret('platform-dns'), undefined);
  assert.is(config()?.spec.dnsConnectionRef, undefined);
  assert.is(await save('dns/save', { apiToken: 'secret-token', accountId: 'a', zones: 'x.org' }), 'saved');
  assert.equal(config()?.spec.dnsConnectionRef, { name: 'platform-dns' });
  assert.is(await save('dns/save', { zones: '', zoneName: 'y.org', apiToken: '' }), 'saved');
  assert.equal(
    ['apiToken', 'accountId', 'zones', 'zoneName'].map((key) => keyIn('platform-dns', key)),
    ['secret-token', 'a', '', 'y.org'],
  );
  assert.is(await save('dns/save', { accountId: '' }), '400 accountId is required');
  assert.is(await save('dns/disconnect', {}), 'saved');
  assert.is(config()?.spec.dnsConnectionRef, undefined);
  assert.ok(secret('platform-dns'), 'the Secret stays');
});

spec('PLC-025 PLC-066 the registry is saved with its login, as JSON or as a form', async () => {
  assert.is(await save('registry/save', { repository: 'registry.example.com/apps' }), 'saved');
  assert.equal(config()?.spec.registry, { repository: 'registry.example.com/apps' });
  assert.is(await save('registry/save', { username: 'u' }), '400 password is required');
  const { status } = await form('registry/save', { username: 'u', password: 'p@ss' });
  assert.is(status, 200);
  assert.equal(config()?.spec.registry, {
    repository: 'registry.example.com/apps',
    credentialRef: { name: 'platform-registry' },
  });
  const stored = () => JSON.parse(keyIn('platform-registry', '.registryconfigjson')) as object;
  const auth = (user: string, password: string) => Buffer.from(`${user}:${password}`).toString('base64');
  assert.equal(stored(), {
    auths: { 'registry.example.com': { username: 'u', password: 'p@ss', auth: auth('u', 'p@ss') } },
  });
  assert.is(await save('registry/save', { username: 'v', password: '' }), 'saved');
  assert.equal(stored(), {
    auths: { 'registry.example.com': { username: 'v', password: 'p@ss', auth: auth('v', 'p@ss') } },
  });
  assert.is(await save('registry/save', { username: '' }), 'saved');
  assert.equal(config()?.spec.registry, { repository: 'registry.example.com/apps' });
  assert.is(await save('registry/save', { repository: '' }), 'saved');
  assert.is(config()?.spec.registry, undefined);
});

spec('PLC-067 AUT-070 a viewer cannot change platform settings', async () => {
  for (const what of ['domain/save', 'dns/save', 'dns/disconnect', 'registry/save']) {
    const { status } = await served.ask(`${base}/${what}`, {
      method: 'POST',
      headers: { cookie: served.cookieOf({ username: 'vera', role: 'viewer' }), 'content-type': 'application/json' },
      body: '{}',
    });
    assert.ok(status === 403 || status === 401, `${what} ${status}`);
  }
  assert.is(config(), undefined);
});

spec('the settings name their Secrets and keys without values', async () => {
  await save('dns/save', { apiToken: 'secret-token', accountId: 'secret-account' });
  await save('registry/save', { repository: 'r.example.com/a', username: 'u', password: 'secret-password' });
  await save('domain/save', { rootDomain: 'example.org' });
  await until(() => served.operator.caches.get(platformConfigs, 'platform')?.spec.rootDomain !== undefined, 'cached');
  const told = await read();
  assert.not.match(JSON.stringify(told), /secret-/);
  assert.equal(told.secrets.dns, { name: 'platform-dns', found: true, keys: ['accountId', 'apiToken'] });
  assert.equal(told.registry, {
    repository: 'r.example.com/a',
    server: 'r.example.com',
    username: 'u',
    hasPassword: true,
  });
  assert.is(told.domain.host, 'core.example.org');
  assert.is(told.domain.url, 'https://core.example.org');
});

spec('concurrent saves of different settings are all saved', async () => {
  await save('domain/save', { rootDomain: 'example.org' });
  const done = await Promise.all([
    save('domain/save', { dashboardURL: 'https://core.example.org' }),
    save('registry/save', { repository: 'r.example.com/a', username: 'u', password: 'p' }),
    save('dns/save', { apiToken: 't', accountId: 'a' }),
  ]);
  assert.equal(done, ['saved', 'saved', 'saved']);
  assert.equal(Object.keys(config()?.spec ?? {}).toSorted(), [
    'dashboardExposure',
    'dashboardURL',
    'dnsConnectionRef',
    'registry',
    'rootDomain',
  ]);
});

spec.run();
