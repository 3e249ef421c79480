import { decode, encode } from 'dns-packet';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { mayConnect } from '../../runtime/embedded/network/gate.ts';
import { answerTo } from '../../runtime/embedded/network/dns/answer.ts';
import { lookUp } from '../../runtime/embedded/network/dns/names.ts';
import { routesOf, servedBy } from '../../runtime/embedded/network/ingress/routes.ts';
import type { PolicySpec } from '../../runtime/embedded/network/objects.ts';
import { viewOf } from '../../runtime/embedded/network/view.ts';
import { connects, type Pod, type Policy } from '../network/policy.ts';
import { suite } from '../support/suite.ts';
import {
  endpoint,
  objectsOf,
  ingressChange,
  namespaceChange,
  podChange,
  policyChange,
  serviceChange,
  sliceChange,
} from './scene.ts';

const spec = suite('names and routes in the network of a machine');

const ranges = { services: '10.96.0.0/16', pods: '10.128.0.0/9' };

const cluster = viewOf(
  objectsOf([
    namespaceChange('shop'),
    namespaceChange('blog'),
    serviceChange('shop/web', '10.96.1.1'),
    serviceChange('blog/web', '10.96.1.2'),
    serviceChange('shop/db', 'None'),
    sliceChange('shop/db', [
      endpoint('10.128.0.5', { hostname: 'db-0' }),
      endpoint('10.128.0.6', { hostname: 'db-1' }),
      endpoint('10.128.0.7', { hostname: 'db-2', ready: false }),
    ]),
    serviceChange('shop/peers', 'None'),
    sliceChange('shop/peers', [endpoint('10.128.0.8'), endpoint('10.128.0.9', { hostname: 'own' })]),
    serviceChange('shop/far', '', { externalName: 'far.example.com' }),
    serviceChange('shop/near', '', { externalName: 'web.blog.svc.cluster.local' }),
    podChange('shop/web-1', '10.128.0.5'),
  ]),
);

const found = (name: string, from: string | null = null, type = 'A') => {
  const known = lookUp(cluster, ranges, { name, type, from });
  if (known.is === 'alias') return known.target;
  return known.is === 'records'
    ? known.records.map(({ data }) => (typeof data === 'string' ? data : data.target))
    : known.is;
};

spec('a Service resolves by its short name in its namespace, and by longer names from any namespace', () => {
  assert.equal([found('web', 'shop'), found('web', 'blog')], [['10.96.1.1'], ['10.96.1.2']]);
  assert.equal([found('web'), found('web', 'default')], ['elsewhere', 'elsewhere']);
  for (const name of [
    'web.shop',
    'WEB.shop.',
    'web.shop.svc',
    'web.shop.svc.cluster.local',
    'web.shop.svc.cluster.local.',
  ])
    assert.equal([found(name), found(name, 'blog')], [['10.96.1.1'], ['10.96.1.1']], name);
});

spec('a headless Service resolves to its ready endpoints, each under its own name', () => {
  assert.equal(found('db', 'shop'), ['10.128.0.5', '10.128.0.6']);
  assert.equal(found('db-1.db', 'shop'), ['10.128.0.6']);
  assert.equal(found('db-1.db.shop.svc.cluster.local'), ['10.128.0.6']);
  assert.equal(found('db-2.db.shop.svc.cluster.local'), 'nowhere');
  assert.equal(found('10-128-0-8.peers', 'shop'), ['10.128.0.8'], 'one without a name has that of its address');
  assert.equal(found('10-128-0-9.peers', 'shop'), 'nowhere');
  const ports = found('_http._tcp.peers.shop.svc.cluster.local', null, 'SRV');
  assert.equal(ports, ['10-128-0-8.peers.shop.svc.cluster.local', 'own.peers.shop.svc.cluster.local']);
});

spec('an unknown name in the cluster domain is NXDOMAIN, and other names are forwarded', () => {
  assert.equal(found('no.shop.svc.cluster.local'), 'nowhere');
  assert.equal(found('example.com.shop.svc.cluster.local'), 'nowhere');
  assert.equal(found('web.shop.svc.cluster.local', null, 'AAAA'), 'empty');
  for (const name of ['svc.cluster.local', 'shop.svc.cluster.local', 'cluster.local']) assert.is(found(name), 'empty');
  for (const name of ['example.com', 'web.example', 'a.web.shop.example.com'])
    assert.is(found(name, 'shop'), 'elsewhere');
});

spec('ports, pods and addresses have DNS names, and an alias resolves to its target', () => {
  assert.equal(found('_http._tcp.web.shop.svc.cluster.local', null, 'SRV'), ['web.shop.svc.cluster.local']);
  assert.equal(found('10-128-0-5.shop.pod.cluster.local'), ['10.128.0.5']);
  assert.equal(found('10-128-0-5.blog.pod.cluster.local'), 'nowhere');
  assert.equal(found('1.1.96.10.in-addr.arpa', null, 'PTR'), ['web.shop.svc.cluster.local']);
  assert.equal(found('9.9.96.10.in-addr.arpa', null, 'PTR'), 'nowhere');
  assert.equal(found('1.1.1.1.in-addr.arpa', null, 'PTR'), 'elsewhere');
  assert.equal(found('far', 'shop'), 'far.example.com');
});

spec('random bytes get no DNS answer, or one with their query id', async () => {
  const resolving = { view: () => cluster, ranges, servers: () => [] };
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (bytes) => {
      const answer = await answerTo(resolving, Buffer.from(bytes), '10.128.0.5', 'udp');
      assert.ok(answer === null || answer.readUInt16BE(0) === Buffer.from(bytes).readUInt16BE(0));
    }),
    { numRuns: 300 },
  );
});

spec('a DNS answer that exceeds a packet is truncated, and the client retries over TCP', async () => {
  const crowd = Array.from({ length: 100 }, (_, index) => endpoint(`10.128.1.${index + 1}`));
  const view = viewOf(objectsOf([serviceChange('a/crowd', 'None'), sliceChange('a/crowd', crowd)]));
  const resolving = { view: () => view, ranges, servers: () => [] };
  const packet = encode({ type: 'query', id: 7, questions: [{ type: 'A', name: 'crowd.a.svc.cluster.local' }] });
  const answers = async (way: 'udp' | 'tcp') => {
    const got = decode((await answerTo(resolving, packet, '10.128.0.5', way)) ?? Buffer.alloc(0));
    return [got.id, got.flag_tc, got.answers?.length];
  };
  assert.equal(
    [await answers('udp'), await answers('tcp')],
    [
      [7, true, 0],
      [7, false, 100],
    ],
  );
});

const backend = (name: string, port: object = { number: 80 }) => ({ service: { name, port } });
const leads = (view: ReturnType<typeof viewOf>, host: string, path: string) => {
  const led = routesOf(view).of(host, path);
  return led && `${led.namespace}/${led.backend?.service?.name}`;
};

spec('a request is routed by host and longest path, and to the older Ingress when two are equal', () => {
  const rule = (host: string, ...paths: readonly (readonly [path: string, name: string, pathType?: string])[]) => ({
    ...(host !== '' && { host }),
    http: { paths: paths.map(([path, name, pathType = 'Prefix']) => ({ path, pathType, backend: backend(name) })) },
  });
  const view = viewOf(
    objectsOf([
      ingressChange('b/late', { rules: [rule('shop.test', ['/', 'late'])] }, '2030-01-02T00:00:00Z'),
      ingressChange('a/shop', {
        rules: [
          rule('shop.test', ['/', 'root'], ['/api', 'api'], ['/api/v2/', 'v2'], ['/api', 'exact', 'Exact']),
          rule('*.shop.test', ['/', 'any']),
          rule('', ['/hello', 'hello']),
        ],
      }),
      ingressChange('z/rest', { defaultBackend: backend('rest') }),
    ]),
  );
  const table: readonly (readonly [host: string, path: string, to: string])[] = [
    ['shop.test', '/', 'a/root'],
    ['shop.test', '/apis', 'a/root'],
    ['shop.test', '/api', 'a/exact'],
    ['shop.test', '/api/', 'a/api'],
    ['shop.test', '/api/v1', 'a/api'],
    ['shop.test', '/api/v2', 'a/v2'],
    ['shop.test', '/api/v2/x', 'a/v2'],
    ['eu.shop.test', '/x', 'a/any'],
    ['a.eu.shop.test', '/x', 'z/rest'],
    ['other.test', '/hello/you', 'a/hello'],
    ['other.test', '/', 'z/rest'],
  ];
  for (const [host, path, to] of table) assert.is(leads(view, host, path), to, `${host}${path}`);
});

spec('a backend names its port by number or by name', () => {
  const ports = [
    { name: 'http', protocol: 'TCP', port: 80, nodePort: 0 },
    { name: 'admin', protocol: 'TCP', port: 81, nodePort: 0 },
  ];
  const view = viewOf(objectsOf([serviceChange('shop/web', '10.96.1.1', { ports })]));
  const port = (asked: object) =>
    servedBy(view, { namespace: 'shop', backend: backend('web', asked) })?.port.port ?? null;
  assert.equal([port({ number: 81 }), port({ name: 'admin' }), port({ name: 'no' }), port({})], [81, 81, null, null]);
});

spec('a Service routes to ready endpoints, and to terminating ones that still serve when none is ready', () => {
  const of = (...endpoints: readonly ReturnType<typeof endpoint>[]) =>
    viewOf(objectsOf([serviceChange('a/b', '10.96.1.1'), sliceChange('a/b', endpoints)]))
      .services.get('a/b')
      ?.ports[0]?.backends.map(({ ip }) => ip);
  const ending = endpoint('10.128.0.2', { ready: false, draining: true });
  const starting = endpoint('10.128.0.3', { ready: false });
  assert.equal(of(endpoint('10.128.0.1'), ending, starting), ['10.128.0.1']);
  assert.equal(of(ending, starting), ['10.128.0.2']);
  assert.equal(of(starting), []);
});

const labels = fc.record({ role: fc.constantFrom('web', 'db') });
const selector = fc.oneof(
  fc.constant({}),
  fc.record({ matchLabels: fc.record({ role: fc.constantFrom('web', 'db') }) }),
  fc.record({
    matchExpressions: fc.tuple(
      fc.record({
        key: fc.constantFrom('role', 'none'),
        operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'),
        values: fc.constant(['web']),
      }),
    ),
  }),
);
const namespaceSelector = fc.oneof(
  fc.constant({}),
  fc.record({ matchLabels: fc.record({ 'kubernetes.io/metadata.name': fc.constantFrom('shop', 'blog') }) }),
);
const peer = fc.oneof(
  fc.record({ podSelector: selector }),
  fc.record({ namespaceSelector }),
  fc.record({ namespaceSelector, podSelector: selector }),
  fc.record({
    ipBlock: fc.record({
      cidr: fc.constantFrom('10.128.0.0/30', '0.0.0.0/0', '::/0', '10.128.0.2/32'),
      except: fc.constantFrom([], ['10.128.0.1/32']),
    }),
  }),
);
const port = fc.record(
  {
    protocol: fc.constantFrom('TCP', 'UDP'),
    port: fc.constantFrom<number | string>(8080, 8000, 'http'),
    endPort: fc.constant(8090),
  },
  { requiredKeys: ['port'] },
);
const rules = (side: 'from' | 'to') =>
  fc.array(
    fc.record(
      { [side]: fc.array(peer, { maxLength: 2 }), ports: fc.array(port, { maxLength: 2 }) },
      { requiredKeys: [] },
    ),
    { maxLength: 2 },
  );
const policySpec = fc.record(
  {
    podSelector: selector,
    policyTypes: fc.subarray(['Ingress', 'Egress']),
    ingress: rules('from'),
    egress: rules('to'),
  },
  { requiredKeys: ['podSelector'] },
);

spec('NET-003 NET-004 NET-005 NET-010 NET-011 any NetworkPolicy is evaluated as in Kubernetes', () => {
  const [met, open] = [{ allowed: 0, refused: 0 }, '10.9.9.9'];
  fc.assert(
    fc.property(
      fc.array(fc.record({ namespace: fc.constantFrom('shop', 'blog'), spec: policySpec }), { maxLength: 3 }),
      fc.array(labels, { minLength: 4, maxLength: 4 }),
      fc.constantFrom(8080, 8085, 9000),
      (policies, given, asked) => {
        const pods = given.map((one, index): Pod => ({
          namespace: index < 2 ? 'shop' : 'blog',
          labels: one,
          ip: `10.128.0.${index + 1}`,
          ports: { http: 8080 },
        }));
        const view = viewOf(
          objectsOf([
            namespaceChange('shop'),
            namespaceChange('blog'),
            ...pods.map(({ namespace, ip, labels: own }) =>
              podChange(`${namespace}/${ip}`, ip, { labels: own, ports: { 'TCP/http': 8080 } }),
            ),
            ...policies.map(({ namespace, spec: one }, index) =>
              policyChange(`${namespace}/${index}`, one as PolicySpec),
            ),
          ]),
        );
        const network = {
          policies: policies.map(({ namespace, spec: one }): Policy => ({
            metadata: { name: '', namespace },
            spec: one as Policy['spec'],
          })),
          namespaces: Object.fromEntries(view.namespaces),
          blocksMatchPods: true,
        };
        for (const from of [...pods, null])
          for (const to of pods) {
            const end = from ? { pod: from } : { ip: open };
            const expected = connects({ from: end, to: { pod: to }, port: asked }, network);
            const got = mayConnect(view, { from: from?.ip ?? open, to: to.ip, port: asked, protocol: 'TCP' });
            assert.is(got, expected, JSON.stringify({ from, to, policies }));
            met[got ? 'allowed' : 'refused']++;
          }
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(met.allowed > 500 && met.refused > 500, JSON.stringify(met));
});

spec.run();
