import * as assert from 'uvu/assert';
import { type CorePlatformConfig, platformConfigName } from '../../../crds/corePlatformConfig.ts';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { systemNamespace } from '../../../crds/names.ts';
import { addressIn } from '../../../rules/domain/address.ts';
import { defaultHosts, whereLeads } from '../../../rules/service/hosts.ts';
import { serviceReady, type ServiceStanding } from '../../../rules/service/ready.ts';
import { readOut } from '../../../rules/verdict.ts';
import { apps, platformConfigs } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import type { Served } from '../served.ts';
import { annotationOf, type Asking, asking, refusalOf, savedOf, serveShop } from './given.ts';

const spec = suite('hosts of services');
let served: Served;
let the: Asking;
spec.before.each(async () => {
  served = await serveShop();
  the = asking(served);
});
spec.after.each(() => served.stop());

/** The settings of the platform, with what the DNS provider answered; null before it did. */
async function platform(fields: Partial<CorePlatformConfig['spec']>, dns: 'True' | 'False' | null): Promise<void> {
  const at = '2026-01-01T00:00:00Z';
  const conditions =
    dns === null
      ? []
      : [{ type: 'DnsProviderReady', status: dns, reason: 'Connected', message: '', lastTransitionTime: at }];
  const written = served.world.cluster.put(platformConfigs, {
    metadata: { name: platformConfigName, namespace: systemNamespace },
    spec: { dashboardExposure: 'ingress', ...fields },
    status: { conditions },
  });
  const version = Number(written.metadata.resourceVersion);
  await until(
    () => Number(served.operator.caches.get(platformConfigs, platformConfigName)?.metadata.resourceVersion) >= version,
    'the settings are cached',
  );
}

const ingress = (name: string) =>
  served.world.cluster.all(owned.ingresses).find(({ metadata }) => metadata.name === name) as
    | {
        readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
        readonly spec: {
          readonly rules: readonly { readonly host: string }[];
          readonly tls?: readonly { readonly hosts: readonly string[]; readonly secretName: string }[];
        };
      }
    | undefined;
const hostIn = (name: string) => ingress(name)?.spec.rules[0]?.host;
/** Writes a host as a person does with kubectl. */
function edit(name: string, host: string): void {
  const app = the.stored(name);
  if (!app) throw new Error(`no service ${name}`);
  served.world.cluster.put(apps, { ...app, spec: { ...app.spec, networking: { host } } });
}

spec('a host is published at once over HTTPS with a cluster certificate and shown in the status', async () => {
  await the.deployed();
  await the.patch({ host: 'Shop.Example.com' });
  await until(() => hostIn('web') === 'shop.example.com', 'the Ingress exists');
  assert.is(ingress('web')?.metadata.annotations?.['cert-manager.io/cluster-issuer'], 'acme-prod');
  assert.equal(ingress('web')?.spec.tls, [{ hosts: ['shop.example.com'], secretName: 'web-tls' }]);
  assert.is((await the.status()).url, 'https://shop.example.com');
  await the.patch({ tls: false });
  await until(() => ingress('web')?.spec.tls === undefined, 'the certificate is removed');
  assert.is((await the.status()).url, 'http://shop.example.com');
  await the.patch({ host: '' });
  await until(() => ingress('web') === undefined, 'the Ingress is deleted');
  assert.is((await the.status()).url, '');
});

spec('a host of another service, draft or deployed, is refused and not saved', async () => {
  await the.deployed();
  await the.create({ name: 'api' });
  await the.patch({ host: 'shop.example.com' });
  const before = savedOf(the.stored('api'));
  const text = '409 the host shop.example.com belongs to another service';
  for (const host of ['shop.example.com', 'SHOP.example.COM'])
    assert.is(refusalOf(await the.patch({ host }, 'api')), text);
  assert.is(savedOf(the.stored('api')), before);
  assert.is((await the.patch({ host: 'shop.example.com' })).status, 200, 'a service may set its own host twice');
  await the.patch({ host: 'api.example.com' }, 'api');
  assert.is(
    refusalOf(await the.patch({ host: 'api.example.com' })),
    '409 the host api.example.com belongs to another service',
  );
});

spec('the host of the dashboard is refused in any spelling', async () => {
  await the.deployed();
  await platform({ dashboardURL: 'https://Core.Example.com:8443' }, null);
  const text = "409 the host core.example.com is the dashboard's";
  assert.is(refusalOf(await the.patch({ host: 'CORE.example.com' })), text);
  await platform({ rootDomain: 'example.com' }, null);
  assert.is(refusalOf(await the.patch({ host: 'core.example.com' })), text);
});

spec('the older of two services keeps an edited host, and the younger gets it when it is free', async () => {
  // Of two that were created in the same second, the first by name counts as the older one.
  await the.deployed({ name: 'api' });
  await the.deployed();
  edit('web', 'shop.example.com');
  await until(() => hostIn('web') === 'shop.example.com', 'the host leads to the only service');
  edit('api', 'Shop.Example.com:443');
  await until(() => hostIn('api') === 'shop.example.com', 'the host leads to the older service');
  await until(() => ingress('web') === undefined, 'the host does not lead to the younger service');
  await until(() => served.operator.caches.get(apps, 'web')?.status?.url === undefined, 'which has no address');
  await the.remove('?confirmName=api', 'api');
  await until(() => hostIn('web') === 'shop.example.com', 'the host leads to the remaining service');
  edit('web', 'core.example.com');
  await platform({ rootDomain: 'example.com' }, null);
  await until(() => ingress('web') === undefined, 'no Ingress has the host of the dashboard');
});

spec(
  'PLC-043 decision 107 a service without a host gets one below the domain when the DNS provider is ready',
  async () => {
    await the.deployed();
    await the.create({ name: 'draft' });
    await platform({ rootDomain: 'example.com' }, 'True');
    await until(() => hostIn('web') === 'web.example.com', 'it is published');
    assert.is(annotationOf(the.stored(), 'defaultHost'), 'web.example.com');
    assert.is((await the.status()).url, 'https://web.example.com');
    assert.is(annotationOf(the.stored('draft'), 'defaultHost'), undefined, 'a draft is not published');
    await platform({ rootDomain: 'example.com' }, 'False');
    await the.post('/apps/web/deploy');
    assert.is(annotationOf(the.stored(), 'defaultHost'), 'web.example.com', 'it stays while the provider fails');
    await the.patch({ host: 'shop.example.org' });
    await until(() => hostIn('web') === 'shop.example.org', 'its own wins');
    await platform({ rootDomain: 'example.com' }, 'True');
    await until(() => annotationOf(the.stored(), 'defaultHost') === undefined, 'and frees the other one');
    await the.post('/apps/web/networking/delete');
    await until(() => hostIn('web') === 'web.example.com', 'the default host is restored');
    await platform({ rootDomain: 'example.com' }, null);
    await until(() => ingress('web') === undefined, 'without a provider there is none');
  },
);

spec('decision 107 a default host in use is extended by the environment and never that of the dashboard', async () => {
  await the.create({ name: 'api' });
  await the.patch({ host: 'web.example.com' }, 'api');
  await the.deployed();
  await the.deployed({ name: 'core' });
  await platform({ rootDomain: 'example.com' }, 'True');
  await until(() => hostIn('web') === 'web-production.example.com', 'the environment is added');
  await until(() => hostIn('core') === 'core-production.example.com', 'core.example.com is the dashboard');
  assert.is(
    refusalOf(await the.patch({ host: 'web-production.example.com' }, 'api')),
    '409 the host web-production.example.com belongs to another service',
  );
});

const service = (name: string, createdAt: string, metadata: Partial<CoreApp['metadata']> = {}) => ({
  metadata: { name, creationTimestamp: createdAt, ...metadata },
  spec: { environment: 'production' } as CoreApp['spec'],
});

spec('a host leads to the dashboard, the oldest service that requests it, or nowhere', () => {
  const [old, young] = [service('old', '2026-01-01T00:00:00Z'), service('young', '2026-01-02T00:00:00Z')];
  const going = service('going', '2025-01-01T00:00:00Z', { deletionTimestamp: '2026-02-01T00:00:00Z' });
  const leads = (host: string, ...asking: (typeof old)[]) => whereLeads(host, 'core.example.com', asking);
  assert.is(leads('', old), null);
  assert.is(leads('a.example.com'), null);
  assert.equal(leads('a.example.com', young, old, going), { to: 'service', name: 'old' });
  assert.equal(leads('a.example.com', service('b', 'x'), service('a', 'x')), { to: 'service', name: 'a' });
  assert.equal(leads('core.example.com', old), { to: 'dashboard' });
});

spec('the domain is derived from the dashboard address when it is not set', () => {
  const config = (fields: object) => ({ spec: fields }) as CorePlatformConfig;
  assert.is(addressIn(undefined).root, '');
  assert.is(addressIn(config({ dashboardURL: 'https://Core.Example.com:8443' })).root, 'example.com');
  assert.is(
    addressIn(config({ rootDomain: 'example.org', dashboardURL: 'https://x.example.com' })).root,
    'example.org',
  );
  assert.is(addressIn(config({ dashboardURL: 'https://Core.Example.com:8443' })).host, 'core.example.com');
  assert.is(addressIn(config({ rootDomain: 'example.org' })).host, 'core.example.org');
  assert.is(addressIn(undefined).host, '');
});

spec('a default host is a valid DNS name for any length of the environment name', () => {
  const long = { ...service('a'.repeat(36), ''), spec: { environment: 'e'.repeat(63) } as CoreApp['spec'] };
  const hosts = defaultHosts(long, 'example.com');
  assert.is(hosts.length, 2);
  for (const host of hosts) assert.ok((host.split('.')[0] ?? '').length <= 63, host);
});

spec('a running service whose host leads elsewhere says so in Ready', () => {
  const seen = {
    gate: 'Deployed',
    source: 'image',
    project: { name: 'shop', is: 'fine' },
    environment: 'production',
    cluster: { name: 'local', ready: true },
    connection: { name: '', is: 'none' },
    secret: { name: '', found: false },
    registry: '',
    image: 'web:1',
    databases: [],
    buckets: [],
    missing: null,
    workload: 'current',
    pods: 'running',
    attempting: false,
    attemptOfDeploy: false,
    currentBuild: '',
    build: null,
    room: { nodes: 'fit', crowded: null },
    region: '',
    tags: [],
    contested: [],
    isCodeTooLong: false,
    failure: null,
    retrying: false,
    gaveUp: null,
    leaving: null,
  } as const;
  const ready = (leads: ServiceStanding['host']['leads']) => {
    const { status, message } = readOut('Ready', serviceReady, { ...seen, host: { name: 'a.example.com', leads } });
    return `${status} ${message}`;
  };
  assert.is(ready('here'), 'True Service is running');
  assert.is(ready('toAnother'), 'False The host a.example.com belongs to another service');
  assert.is(ready('toTheDashboard'), "False The host a.example.com is the dashboard's");
});

spec.run();
