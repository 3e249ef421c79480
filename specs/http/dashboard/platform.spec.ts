import * as assert from 'uvu/assert';
import type { Instance, Read, Settings } from '../../../http/api.ts';
import { platformPages, addressOf, readRoute, redirectOf } from '../../../http/dashboard/routes.ts';
import { platformItems } from '../../../http/dashboard/pages/home/platformAttention.ts';
import {
  changedBody,
  clusterBody,
  clusterValues,
  dnsFields,
  domainFields,
  domainValues,
  gitAppFields,
  hasTimedOut,
  issuerWord,
  manifestReturn,
  nodeBody,
  registryFields,
  registryValues,
  tagBody,
  tagValues,
} from '../../../http/dashboard/pages/platform/model.ts';
import { openPorts } from '../../../http/dashboard/pages/platform/ports.ts';
import { gitAppKeys } from '../../../rules/settings/gitApplication.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('platform settings pages');

const settings = {
  spec: { rootDomain: 'example.org', dashboardExposure: 'tunnel', dnsConnected: true },
  registry: { repository: 'r/a', server: 'r', username: 'u', hasPassword: true },
} as unknown as Settings;

spec('each settings page has an address', () => {
  for (const page of platformPages) {
    assert.equal(readRoute(addressOf.platform(page), ''), { is: 'platform', page });
    assert.is(redirectOf(addressOf.platform(page), ''), null);
  }
  assert.is(readRoute('/settings/nothing', '').is, 'unknown');
});

spec('a settings form sends only changed fields', () => {
  assert.equal(domainValues(settings), {
    rootDomain: 'example.org',
    dashboardURL: '',
    dashboardExposure: 'tunnel',
    tunnelCNAMETarget: '',
    dnsZoneID: '',
  });
  assert.equal(changedBody(['rootDomain'], { rootDomain: '', dashboardURL: 'x' }), { rootDomain: '' });
  assert.equal(registryValues(settings), { repository: 'r/a', server: 'r', username: 'u', password: '' });
});

spec('UI-019 the settings have no field for the metrics address or default cluster', () => {
  const names = [...domainFields, ...dnsFields, ...registryFields].map(({ name }) => name);
  for (const name of ['prometheusURL', 'defaultClusterRef', 'connectionLimit', 'clusterSize', 'traefikAccessLogs'])
    assert.not.ok(names.includes(name), name);
});

spec('GIT-029 only a return with code and state continues the manifest of the Git host', () => {
  assert.equal(manifestReturn('?code=c1&state=s1'), { code: 'c1', state: 's1' });
  for (const search of ['', '?code=c1', '?state=s1', '?code=&state=s1', '?view=logs'])
    assert.is(manifestReturn(search), null);
  assert.equal(gitAppFields.map(({ name }) => name).toSorted(), Object.keys(gitAppKeys).toSorted());
});

spec('NET-022 NET-023 NET-024 the open ports of a server are listed with their sources', () => {
  assert.equal(
    openPorts.map(({ port, protocol, from }) => `${port}/${protocol} ${from}`),
    [
      '22/tcp the platform',
      '80/tcp everybody',
      '443/tcp everybody',
      '6443/tcp the other servers',
      '10250/tcp the other servers',
      '8472/udp the other servers',
      '51820/udp the other servers',
    ],
  );
  const meant = (wanted: number) => openPorts.find(({ port }) => port === wanted)?.purpose ?? '';
  assert.match(meant(6443), /orchestrator's API/);
  assert.match(meant(10250), /agent/);
  assert.match(meant(51820), /several providers, and only there/);
  assert.match(meant(22), /SSH/);
});

spec('forms of clusters, nodes and tags are converted to requests and back', () => {
  const cluster = { spec: { acmeEmail: 'a@b', addons: { storage: true } } } as unknown as Read;
  assert.equal(clusterValues(cluster), { acmeEmail: 'a@b', defaultRegion: '', storage: 'on', serverless: '' });
  assert.equal(clusterBody(['acmeEmail', 'serverless'], { acmeEmail: '', serverless: 'on', storage: 'on' }), {
    acmeEmail: '',
    addons: { serverless: true },
  });
  assert.equal(nodeBody({ name: 'n', address: 'a', user: '', secret: 's', region: '', tags: ' x, y ' }), {
    name: 'n',
    address: 'a',
    sshKeySecretRef: { name: 's' },
    tags: ['x', 'y'],
  });
  assert.equal(tagValues({ tags: ['x', 'y'], reserved: 'x' }), { tags: 'x y', reserved: 'x' });
  assert.equal(tagBody({ tags: 'x  y', reserved: '' }), { tags: ['x', 'y'], reserved: '' });
});

spec('PLC-056 a domain that was not verified in time is distinguished from a pending one', () => {
  const of = (reason: string) =>
    hasTimedOut({ conditions: [{ type: 'DashboardDomainReady', reason }] } as unknown as Settings);
  assert.ok(of('VerificationTimedOut'));
  assert.not.ok(of('PendingDNS'));
});

spec('PLC-052 a cluster shows why no certificates are issued', () => {
  const of = (...conditions: readonly object[]) => issuerWord({ status: { conditions } } as unknown as Read);
  assert.is(of({ type: 'Ready', message: 'x' }, { type: 'ClusterIssuerReady', message: 'no address' }), 'no address');
  assert.is(of(), '');
});

spec('an unverified domain needs attention, and an unset one does not', () => {
  const of = (state: string, retrying: boolean): Instance =>
    ({
      id: 'coreplatformconfigs:platform',
      kind: 'CorePlatformConfig',
      machine: 'dashboardDomainReady',
      name: 'platform',
      project: '',
      environment: '',
      state,
      retrying,
      reason: 'it has no address',
      since: '2026-01-01T00:00:00Z',
      columns: {},
    }) as unknown as Instance;
  const found = (state: string, retrying: boolean) =>
    platformItems([of(state, retrying)], Date.parse('2026-01-01T00:01:00Z')).map(({ word, name }) => `${word} ${name}`);
  assert.equal(found('PendingDNS', true), ['Retrying Domain']);
  assert.equal(found('VerificationTimedOut', true), ['Retrying Domain']);
  assert.equal(found('NoDomain', false), []);
  assert.equal(found('Verified', false), []);
});

spec.run();
