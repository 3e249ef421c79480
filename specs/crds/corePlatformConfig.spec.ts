import * as assert from 'uvu/assert';
import { naming } from '../house/sources.ts';
import { suite } from '../support/suite.ts';
import { admitted, below, fieldsOf, refusals, schemaAt, words } from './served.ts';

const plural = 'coreplatformconfigs';
const spec = suite('CorePlatformConfig');
const config = (fields: object = {}) => ({ metadata: { name: 'platform' }, spec: fields });
const accepts = (fields: object) => assert.equal(refusals(plural, config(fields)), [], JSON.stringify(fields));
const refuses = (fields: object) => assert.ok(refusals(plural, config(fields)).length > 0, JSON.stringify(fields));

spec('the spec has exactly the documented fields', () => {
  assert.equal(
    fieldsOf(plural, 'spec'),
    words(`rootDomain dashboardURL dashboardExposure tunnelCNAMETarget dnsConnectionRef dnsZoneID
        dnsConnectionRef.name gitAppRef gitAppRef.name prometheusURL defaultClusterRef
        defaultClusterRef.name registry registry.repository registry.credentialRef
        registry.credentialRef.name defaultDomain traefikAccessLogs traefikAccessLogs.enabled
        traefikAccessLogs.format traefikAccessLogs.networkLogEndpoint`)
      .map((name) => `spec.${name}`)
      .sort(),
  );
});

spec('PLC-026 PLC-027 defaultDomain and traefikAccessLogs exist and are not read', () => {
  assert.is(schemaAt(plural, 'spec.defaultDomain').type, 'string');
  assert.is(schemaAt(plural, 'spec.traefikAccessLogs.enabled').type, 'boolean');
  assert.is(schemaAt(plural, 'spec.traefikAccessLogs.format').type, 'string');
  assert.is(schemaAt(plural, 'spec.traefikAccessLogs.networkLogEndpoint').type, 'string');
  assert.equal(naming(/defaultDomain|traefikAccessLogs|networkLogEndpoint/), [
    'crds/corePlatformConfig.ts',
    'rules/redaction/kinds.ts',
  ]);
});

spec('PLC-004 an empty or missing spec is valid', () => {
  accepts({});
  assert.equal(refusals(plural, { metadata: { name: 'platform' } }), []);
});

spec('PLC-005 rootDomain is a lower-case hostname with at least one dot', () => {
  for (const rootDomain of ['example.com', 'a.b', 'my-apps.example.co.uk', '9.example']) accepts({ rootDomain });
  for (const rootDomain of [
    'example',
    'Example.com',
    '.com',
    'example.',
    'a..b',
    '-a.b',
    'a-.b',
    'a b.c',
    'https://a.b',
    `${'a'.repeat(252)}.b`,
  ])
    refuses({ rootDomain });
});

spec('PLC-009 dashboardURL is https, without a path, with an optional port', () => {
  assert.is(schemaAt(plural, 'spec.dashboardURL').pattern, '^https://[a-zA-Z0-9.-]+(?::[0-9]+)?$');
  for (const dashboardURL of ['https://core.example.com', 'https://Core.example.com:8443']) accepts({ dashboardURL });
  for (const dashboardURL of ['http://core.example.com', 'https://a.b/', 'https://a.b/x', 'https://a.b:', 'core.a.b'])
    refuses({ dashboardURL });
});

spec('PLC-012 PLC-013 dashboardExposure is ingress or tunnel, ingress by default', () => {
  accepts({ dashboardExposure: 'tunnel' });
  refuses({ dashboardExposure: 'Ingress' });
  assert.is(admitted(plural, config(), 'spec.dashboardExposure'), 'ingress');
  assert.is(admitted(plural, { metadata: { name: 'platform' } }, 'spec.dashboardExposure'), 'ingress');
});

spec('PLC-016 tunnelCNAMETarget', () => {
  assert.is(schemaAt(plural, 'spec.tunnelCNAMETarget').pattern, '^[a-z0-9-]+(\\.[a-z0-9-]+)+$');
  accepts({ tunnelCNAMETarget: 'id.tunnel.example' });
  for (const tunnelCNAMETarget of ['tunnel', 'A.b', 'a.', '.b']) refuses({ tunnelCNAMETarget });
});

spec('references, dnsZoneID and registry are accepted', () => {
  accepts({
    dnsConnectionRef: { name: 'platform-dns' },
    dnsZoneID: 'z1',
    gitAppRef: { name: 'platform-git-app' },
    prometheusURL: 'http://metrics:9090',
    defaultClusterRef: { name: 'local' },
    registry: { repository: 'registry.local/apps', credentialRef: { name: 'platform-registry' } },
  });
});

spec('PLC-028 PLC-029 the status has the expected fields, with a history and states of checks (decision 141)', () => {
  assert.equal(below(plural, 'status'), [
    'conditions',
    'dnsProvider',
    'dnsProviderState',
    'domain',
    'domainState',
    'history',
    'observedGeneration',
    'tunnelID',
  ]);
});

spec.run();
