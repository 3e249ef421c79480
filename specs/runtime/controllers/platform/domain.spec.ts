import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../../crds/kind.ts';
import { addressOf, visitedHost } from '../../../../rules/domain/address.ts';
import { clusterNodes } from '../../../../runtime/controllers/capacity.ts';
import { clusters, platformConfigs } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { Refused } from '../../../../runtime/services/cluster/cluster.ts';
import { Effect } from 'effect';
import { inSystem, putCluster } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import { platformSession, publicIP, putGround } from './session.ts';

const spec = suite('the domain of the dashboard');
const host = 'core.example.org';
const root = { rootDomain: 'example.org' };

spec(
  'PLC-006 PLC-007 PLC-008 PLC-010 PLC-011 root domain, host and address follow from rootDomain and dashboardURL',
  () => {
    const given = (rootDomain?: string, dashboardURL?: string) => {
      const {
        root: domain,
        host: at,
        url,
      } = addressOf({
        ...(rootDomain === undefined ? {} : { rootDomain }),
        ...(dashboardURL === undefined ? {} : { dashboardURL }),
      });
      return [domain, at, url];
    };
    assert.equal(given(), ['', '', '']);
    assert.equal(given('example.org'), ['example.org', host, `https://${host}`]);
    assert.equal(given('example.org', 'https://ui.example.org:8443'), [
      'example.org',
      'ui.example.org',
      'https://ui.example.org:8443',
    ]);
    assert.equal(given('example.org', 'https://ui.example.net'), ['example.org', host, 'https://ui.example.net']);
    assert.equal(given('example.org', 'https://example.org'), ['example.org', host, 'https://example.org']);
    assert.equal(given(undefined, 'https://core.example.org'), ['example.org', host, `https://${host}`]);
    assert.equal(given(undefined, 'https://Core.Example.org'), ['example.org', host, 'https://Core.Example.org']);
    assert.equal(given(undefined, 'https://ui.example.org'), ['', 'ui.example.org', 'https://ui.example.org']);
    assert.equal(given(undefined, 'https://core.localhost'), ['', 'core.localhost', 'https://core.localhost']);
    assert.is(
      visitedHost(addressOf({ rootDomain: 'example.org', dashboardURL: 'https://ui.example.org:8443' })),
      'ui.example.org:8443',
    );
    assert.is(visitedHost(addressOf({ rootDomain: 'example.org' })), host);
  },
);

spec('PLC-049 PLC-073 PLC-029 a platform without a root domain rests and names the fields that set one', async () => {
  const session = await platformSession();
  await session.pass(60);
  assert.is(session.domain(), 'False NoDomain');
  assert.is(session.says(), 'No root domain is set: neither spec.rootDomain nor spec.dashboardURL gives one');
  assert.equal(session.environment.reach.probed, []);
  assert.equal(session.moves('dashboardDomainReady'), ['Unchecked domainMissing NoDomain']);
  await session.end();
});

spec('PLC-046 the next check is known while one runs', async () => {
  const session = await platformSession(root);
  const { names } = session.environment.reach;
  const resolved = names.get.bind(names);
  const known: boolean[] = [];
  names.get = (host) => {
    known.push(session.hasTimer());
    return resolved(host);
  };
  await session.pass(11);
  assert.equal(known, [true, true]);
  await session.end();
});

spec('PLC-074 PLC-075 PLC-080 PLC-048 PLC-050 PLC-051 PLC-032 DNS, then HTTPS, then Verified', async () => {
  const session = await platformSession(root);
  assert.is(session.domain(), 'False PendingDNS');
  assert.is(session.says(), `${host} does not resolve to the public IP of the cluster: it has no address`);
  const { names, probed } = session.environment.reach;
  names.set(host, ['192.0.2.1', publicIP]);
  await session.pass(6);
  assert.is(
    session.says(),
    `${host} does not resolve to the public IP of the cluster: it resolves to 192.0.2.1, and the public IP is ${publicIP}`,
  );
  names.set(host, null);
  await session.pass(6);
  assert.match(session.says(), 'DNS does not answer: ESERVFAIL');
  names.set(host, [publicIP]);
  await session.pass(6);
  assert.is(session.domain(), 'False PendingHTTPS');
  assert.is(
    session.says(),
    `https://${host}/core-probe does not answer yet: ECONNREFUSED; the certificate may be pending`,
  );
  const before = probed.length;
  await session.pass(50);
  assert.is(probed.length - before, 10, 'PLC-046: every 5 s');
  session.environment.reach.probe = { is: 'answers' };
  await session.pass(6);
  assert.is(session.domain(), 'True Verified');
  const quiet = session.object().metadata.resourceVersion;
  const asked = probed.length;
  await session.pass(3_600);
  assert.is(session.object().metadata.resourceVersion, quiet);
  assert.is(probed.length, asked, 'a verified domain rests');
  await session.end();
});

spec(
  'PLC-046 PLC-047 PLC-056 PLC-079 a domain times out after 15 minutes with the last cause and is retried',
  async () => {
    const session = await platformSession(root);
    await session.pass(899);
    assert.is(session.domain(), 'False PendingDNS');
    await session.pass(6);
    assert.is(session.domain(), 'False VerificationTimedOut');
    assert.match(session.says(), `${host} was not verified within 15 minutes; it is checked again every 5 minutes.`);
    assert.ok(session.says().endsWith('it has no address'));
    const before = session.environment.reach.probed.length;
    await session.pass(1_500);
    assert.is(session.environment.reach.probed.length - before, 5, 'every 5 min');
    assert.ok(session.says().endsWith('it has no address'), 'the cause stays');
    session.environment.reach.probe = { is: 'answers' };
    await session.pass(301);
    assert.is(session.domain(), 'True Verified');
    await session.end();
  },
);

spec('PLC-045 PLC-051 PLC-081 a change of the spec starts another check and another 15 minutes', async () => {
  const session = await platformSession(root);
  session.environment.reach.probe = { is: 'answers' };
  await session.pass(6);
  assert.is(session.domain(), 'True Verified');
  session.environment.reach.probe = { is: 'silent', why: 'CERT_HAS_EXPIRED' };
  session.environment.reach.names.set('ui.example.org', [publicIP]);
  await session.save({ dashboardURL: 'https://ui.example.org' });
  assert.is(session.domain(), 'False PendingHTTPS');
  assert.is(
    session.says(),
    'https://ui.example.org/core-probe does not answer yet: CERT_HAS_EXPIRED; the certificate may be pending',
  );
  assert.is(session.condition('DashboardDomainReady')?.observedGeneration, session.object().metadata.generation);
  await session.pass(600);
  await session.save({ prometheusURL: 'http://prometheus' });
  await session.pass(600);
  assert.is(session.domain(), 'False PendingHTTPS', 'ten minutes of this generation');
  await session.pass(310);
  assert.is(session.domain(), 'False VerificationTimedOut');
  await session.end();
});

spec('PLC-052 the message of a domain in ingress mode ends with the reason of the issuer', async () => {
  const session = await platformSession(root, (environment) => {
    putGround(environment);
    putCluster(environment);
    const [cluster] = environment.cluster.all(clusters);
    if (!cluster) throw new Error('no cluster');
    const condition = {
      type: 'ClusterIssuerReady',
      status: 'False' as const,
      reason: 'ACMEEmailMissing',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    environment.cluster.put(clusters, { ...cluster, status: { conditions: [condition] } });
    environment.reach.names.set(host, [publicIP]);
  });
  await session.pass(1);
  assert.is(session.domain(), 'False PendingHTTPS');
  assert.ok(session.says().endsWith('the certificate may be pending: ACMEEmailMissing'));
  await session.end();
});

spec('PLC-055 PLC-078 errors name the missing setting and are checked periodically', async () => {
  const session = await platformSession(root, () => {});
  assert.is(`${session.domain()}: ${session.says()}`, 'False Error: The dashboard Service was not found');
  await session.edit(putGround);
  await session.pass(6);
  assert.is(session.domain(), 'False PendingDNS');
  await session.save({ dnsConnectionRef: { name: 'platform-dns' } });
  await session.pass(6);
  assert.is(session.says(), 'DNS credentials are unavailable: Secret "platform-dns" was not found');
  await session.end();
});

spec('PLC-078 nodes that may not be listed are an error', async () => {
  const session = await platformSession(root);
  await session.crash((cluster) => ({
    ...cluster,
    list: (resource, options) =>
      resource.plural === clusterNodes.plural && options?.limit === 1
        ? Effect.fail(new Refused({ status: 403, message: 'forbidden' }))
        : cluster.list(resource, options),
  }));
  await session.pass(6);
  assert.is(`${session.domain()}: ${session.says()}`, 'False Error: Nodes could not be listed');
  await session.end();
});

const ingress = (session: Awaited<ReturnType<typeof platformSession>>) =>
  session.environment.cluster
    .all<
      KubeObject & {
        readonly spec?: { readonly rules: readonly { readonly host: string }[]; readonly tls: readonly object[] };
      }
    >(owned.ingresses)
    .find(({ metadata }) => metadata.name === 'core-dashboard');

spec(
  'PLC-014 PLC-030 PLC-031 NET-026 the Ingress of the dashboard exists only in ingress mode and is restored when edited',
  async () => {
    const session = await platformSession();
    assert.is(ingress(session), undefined);
    await session.save(root);
    const made = ingress(session);
    assert.is(made?.metadata.namespace, 'core-system');
    assert.is(made?.metadata.annotations?.['cert-manager.io/cluster-issuer'], 'acme-prod');
    assert.is(made?.metadata.annotations?.['traefik.ingress.kubernetes.io/router.entrypoints'], 'websecure');
    assert.equal(made?.spec?.tls, [{ hosts: [host], secretName: 'core-dashboard-tls' }]);
    assert.is(made?.spec?.rules[0]?.host, host);
    assert.match(JSON.stringify(made?.spec), '"name":"core-core-dashboard","port":{"number":8085}');

    await session.edit(({ cluster }) => {
      const named = { name: 'core-dashboard', namespace: 'core-system' };
      Effect.runSync(cluster.patch(owned.ingresses, named, { spec: { rules: [{ host: 'x.example.org' }] } }));
    });
    await session.pass(3);
    assert.is(ingress(session)?.spec?.rules[0]?.host, host);
    await session.edit(({ cluster }) => cluster.drop(owned.ingresses, 'core-dashboard', 'core-system'));
    await session.pass(3);
    assert.ok(ingress(session));
    await session.save({ dashboardExposure: 'tunnel' });
    assert.is(ingress(session), undefined);
    await session.save({ dashboardExposure: 'ingress' });
    assert.ok(ingress(session));
    await session.save({ rootDomain: null });
    assert.is(ingress(session), undefined);
    await session.end();
  },
);

spec('PLC-002 only the object named platform is read', async () => {
  const session = await platformSession(root);
  const other = { ...session.object(), metadata: inSystem('other'), spec: { dashboardExposure: 'ingress' as const } };
  await session.edit(({ cluster }) => void cluster.put(platformConfigs, { ...other, status: {} }));
  await session.pass(10);
  const found = session.environment.cluster.all(platformConfigs).find(({ metadata }) => metadata.name === 'other');
  assert.equal(found?.status, {});
  await session.end();
});

spec.run();
