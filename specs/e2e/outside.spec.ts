import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import type { QueuedDelivery, DeliveryItem, Items, Read, Settings, WebhookCreated } from '../../http/api.ts';
import { systemNamespace } from '../../crds/names.ts';
import { clusterIssuers } from '../../runtime/controllers/cluster/kinds.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { definitionOf, secrets } from '../../runtime/services/cluster/resources.ts';
import { enterOwnNetwork, haveAddresses } from '../podman/ownNetwork.ts';
import { issuerKind } from '../support/certManager.ts';
import { names, startAuthority } from '../support/outside/acme.ts';
import { askingOf } from '../support/outside/asking.ts';
import { auditFaults } from '../support/outside/audited.ts';
import { startReverseProxy } from '../support/outside/reverseProxy.ts';
import { lacking, runProgram, type Running } from '../support/outside/programs.ts';
import { type Answering, type Receiver, startReceiver, status } from '../support/outside/receiver.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

/** A network of its own, in which these addresses are those of the world. */
const missing = isWhole
  ? (enterOwnNetwork('-m') ?? lacking('pebble', 'pebble-challtestsrv', 'caddy') ?? resolverAsked())
  : 'the world outside is played by `npm run whole`';

/** The mounts are those of this spec alone, so its resolver may be another than that of the machine. */
function resolverAsked(): string | null {
  const file = join(mkdtempSync(join(tmpdir(), 'core-resolver-')), 'resolv.conf');
  writeFileSync(file, 'nameserver 44.1.0.7\n');
  const { status: ended, stderr } = spawnSync('mount', ['--bind', file, '/etc/resolv.conf'], { encoding: 'utf8' });
  rmSync(dirname(file), { recursive: true, force: true });
  return ended === 0 ? null : `nothing can be mounted here: ${stderr.trim()}`;
}

const spec = suite('external services in a separate network');
const test = unless(spec, missing);

const [ours, other] = ['44.1.0.7', '44.1.0.8'];
const host = 'core.example.org';
const folder = mkdtempSync(join(tmpdir(), 'core-outside-'));
let authority: Awaited<ReturnType<typeof startAuthority>>;
let reverseProxy: Awaited<ReturnType<typeof startReverseProxy>>;
let product: Product;
const receivers: Receiver[] = [];
let sshd: Running | undefined;
/** Stands for the installer of the cluster's agent: it tells what it was given. */
const installed = join(folder, 'installed');
const installer = `echo "$K3S_NODE_NAME $K3S_URL $K3S_TOKEN" > ${installed}`;

spec.before(async () => {
  if (missing !== null) return;
  haveAddresses(ours, other);
  authority = await startAuthority(folder, ours);
  reverseProxy = await startReverseProxy({ folder, ...authority });
  product = await startProduct({
    env: {
      CORE_DNS_SERVERS: ours,
      CORE_ACME_DIRECTORY: authority.directory,
      CORE_JOIN_INSTALLER: installer,
      NODE_EXTRA_CA_CERTS: authority.rootFile,
    },
  });
  await run(product.cluster.create(definitionOf(issuerKind.metadata.name), issuerKind));
  const [node] = await until(async () => (await run(product.cluster.list(clusterNodes))).items, 'there are nodes');
  await run(product.cluster.patchStatus(clusterNodes, { name: node?.metadata.name ?? '' }, reachedAt(ours)));
});
spec.after(async () => {
  for (const receiver of receivers) receiver.stop();
  await product?.end('SIGTERM');
  product?.clean();
  await sshd?.stop();
  await reverseProxy?.stop();
  await authority?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const reachedAt = (address: string) => ({ addresses: [{ type: 'ExternalIP', address }] });

const asked = askingOf(() => product);
const settings = () => asked<Settings>('GET', '/settings');
const conditionOf = async (type: string) => {
  const { conditions } = await settings();
  const { reason = '', message = '' } = conditions.find((one) => one.type === type) ?? {};
  return `${reason}: ${message}`;
};
const domainMessage = (words: RegExp) =>
  until(async () => words.test(await conditionOf('DashboardDomainReady')), `the domain says ${words}`, 40_000).catch(
    async (error: unknown) => {
      throw new Error(`${String(error)}; it says ${await conditionOf('DashboardDomainReady')}`);
    },
  );
const save = (what: string, body: object) => asked<null>('POST', `/settings/${what}/save`, body);

/** What a certificate manager does: the issuer is ready as soon as the authority answers. */
async function issuerMade(): Promise<void> {
  await until(
    () => run(product.cluster.get(clusterIssuers, { name: 'acme-prod' })).catch(() => null),
    'there is an issuer',
  );
  const conditions = [{ type: 'Ready', status: 'True', reason: 'ACMEAccountRegistered', message: 'registered' }];
  await run(product.cluster.patchStatus(clusterIssuers, { name: 'acme-prod' }, { conditions }));
}
const ingress = async () => {
  const { items } = await run(product.cluster.list(owned.ingresses));
  return items.find(({ metadata }) => metadata.name === 'core-dashboard') as
    { readonly spec?: { readonly rules?: readonly { readonly host: string }[] } } | undefined;
};

test('NET-025 NET-026 PLC-048 PLC-049 PLC-050 PLC-051 PLC-052 PLC-080 a domain is verified step by step with a certificate of a real authority', async () => {
  await domainMessage(/^NoDomain/);
  await save('domain', { rootDomain: 'example.org' });
  await domainMessage(/^PendingDNS: .* it has no address/);
  await names.fail(host);
  await domainMessage(/^PendingDNS: .* DNS does not answer: ESERVFAIL/);
  await names.heal(host);
  await names.set(host, ours, '44.9.9.9', other);
  await domainMessage(/^PendingDNS: .* it resolves to 44\.1\.0\.8, 44\.9\.9\.9, and the public IP is 44\.1\.0\.7/);
  await names.set(host, ours);
  await domainMessage(/^PendingHTTPS: .* ECONNREFUSED; .*: ACMEEmailMissing/);
  await reverseProxy.publish(host, product.endpoints.dashboard ?? '', 'internal');
  await domainMessage(/^PendingHTTPS: .*(SELF_SIGNED|UNABLE_TO|unable to)/);
  assert.equal(
    (await ingress())?.spec?.rules?.map((rule) => rule.host),
    [host],
  );

  const from = performance.now();
  await asked('PATCH', '/clusters/local', { acmeEmail: 'ops@example.org' });
  await issuerMade();
  await reverseProxy.publish(host, product.endpoints.dashboard ?? '');
  await domainMessage(/^Verified: https:\/\/core\.example\.org\/core-probe answers/);
  process.stdout.write(`certificate and probe: ${((performance.now() - from) / 1_000).toFixed(1)} s\n`);
});

const receiver = async (answering: Answering) => {
  const made = await startReceiver(other, answering);
  receivers.push(made);
  return made;
};
const hooksOf = (project: string) => `/projects/${project}/webhooks`;
/** The answers in turn; the last one stays. */
const inTurn =
  (...codes: readonly number[]): Answering =>
  (got, response, count) =>
    status(codes[Math.min(count, codes.length) - 1] ?? 200)(got, response, count);

test('WHK-020 WHK-021 WHK-022 WHK-023 WHK-033 WHK-036 WHK-037 WHK-046 WHK-049 deliveries are attempted three times and redelivered, whatever the receiver does meanwhile', async () => {
  const { name: project } = await asked<{ readonly name: string }>('POST', '/projects', { displayName: 'Shop' });
  const base = hooksOf(project);
  const hook = async (at: Receiver, event: string, url = at.url) => {
    const { id, secret } = await asked<WebhookCreated>('POST', base, { url, events: [event] });
    at.told.secret = secret;
    const list = async () => (await asked<Items<DeliveryItem>>('GET', `${base}/${id}/deliveries`)).items;
    const ended = () =>
      until(async () => {
        const [newest] = await list();
        return newest !== undefined && newest.durationMillis !== null && newest;
      }, `the delivery to ${url} ended`);
    const came = async () => {
      const { state, attempts, error } = await ended();
      return [state, attempts, error];
    };
    return { id, list, ended, came };
  };

  const failing = await receiver(inTurn(500, 500, 500, 200));
  const busy = await receiver(inTurn(408, 200));
  const turning = await receiver((got, response, count) => {
    void names.set('hooks.example.net', '127.0.0.1').then(() => status(500)(got, response, count));
  });
  const rotate = async (at: Receiver) => {
    at.told.secret = (await asked<WebhookCreated>('POST', `${base}/${hooks.rotated.id}/rotate`)).secret;
  };
  const rotated = await receiver((got, response, count) => {
    const before = count === 1 ? rotate(rotated) : Promise.resolve();
    void before.then(() => status(count === 1 ? 503 : 200)(got, response, count));
  });
  const paused = await receiver((got, response, count) => {
    void asked('PATCH', `${base}/${hooks.paused.id}`, { disabled: true }).then(() => status(500)(got, response, count));
  });
  await names.set('hooks.example.net', other);
  const hooks = {
    failing: await hook(failing, 'deployment.succeeded'),
    busy: await hook(busy, 'deployment.started'),
    turning: await hook(turning, 'deployment.started', `http://hooks.example.net:${turning.port}/hook`),
    rotated: await hook(rotated, 'deployment.started'),
    paused: await hook(paused, 'deployment.started'),
  };
  const refused = await product.api(`/api/v1${base}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'http://2130706433/' }),
  });
  assert.is(refused.status, 400, await refused.text());
  const web = { project, environment: 'production', name: 'web', image: 'nginx:1.27', deploy: true };
  await asked('POST', '/apps', web);

  assert.equal(await hooks.failing.came(), ['Failed', 3, 'receiver answered HTTP 500']);
  const deliveryOf = ({ got }: Receiver) => new Set(got.map(({ delivery, body }) => `${delivery} ${body}`)).size;
  assert.equal([failing.got.length, deliveryOf(failing)], [3, 1]);
  assert.equal(await hooks.busy.came(), ['Delivered', 2, '']);
  assert.equal(await hooks.turning.came(), ['Failed', 2, 'refusing to connect to 127.0.0.1']);
  assert.is(turning.got.length, 1);
  assert.equal(await hooks.rotated.came(), ['Delivered', 2, '']);
  const [first] = await until(async () => {
    const list = await hooks.paused.list();
    return list[0]?.durationMillis === null ? false : list;
  }, 'the paused delivery ended');
  assert.equal([first?.state, first?.attempts, paused.got.length], ['Failed', 1, 1]);

  const [{ deliveryId } = { deliveryId: '' }] = await hooks.failing.list();
  const again = await asked<QueuedDelivery>('POST', `${base}/${hooks.failing.id}/deliveries/${deliveryId}/redeliver`);
  assert.is.not(again.deliveryId, deliveryId);
  await until(() => failing.got.length === 4, 'it is delivered again');
  assert.equal(await hooks.failing.came(), ['Delivered', 1, '']);
  const [one, , , last] = failing.got;
  assert.equal([last?.body, last?.delivery === one?.delivery], [one?.body, false]);
  for (const { got } of [failing, busy, turning, rotated, paused])
    assert.ok(
      got.every(({ isSigned }) => isSigned),
      'every attempt is signed',
    );
});

test('WHK-039 WHK-040 WHK-048 WHK-061 permanent answers are not retried, and endless headers are aborted', async () => {
  const { name: project } = await asked<{ readonly name: string }>('POST', '/projects', {});
  const base = hooksOf(project);
  const drip = (_: unknown, { socket }: ServerResponse) => {
    const dripping = setInterval(() => socket?.write('x-more: 1\r\n'), 500);
    socket?.on('close', () => clearInterval(dripping));
    socket?.write('HTTP/1.1 200 OK\r\n');
  };
  const told = await Promise.all(
    [status(302), status(410), drip].map(async (answering) => {
      const { url, got } = await receiver(answering);
      const { id } = await asked<WebhookCreated>('POST', base, { url });
      const { deliveryId } = await asked<QueuedDelivery>('POST', `${base}/${id}/test`);
      const one = await until(async () => {
        const { items } = await asked<Items<DeliveryItem>>('GET', `${base}/${id}/deliveries`);
        return items.find((item) => item.deliveryId === deliveryId && item.durationMillis !== null);
      }, 'the test ended');
      return [one.error, got.length];
    }),
  );
  assert.equal(told, [
    ['receiver answered HTTP 302', 1],
    ['receiver answered HTTP 410', 1],
    ['receiver did not answer within 10 s', 1],
  ]);
});

const withSsh = unless(spec, missing ?? lacking('ssh-keygen') ?? lacking('/usr/sbin/sshd'));

withSsh(
  'KND-013 SEC-028 SEC-030 a server with OpenSSH joins by the installer, which reads its token from stdin',
  async () => {
    const key = (name: string) => {
      const path = join(folder, name);
      spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);
      return { path, secret: readFileSync(path, 'utf8'), shown: readFileSync(`${path}.pub`, 'utf8') };
    };
    const [hostKey, login] = [key('host'), key('login')];
    writeFileSync(join(folder, 'allowed'), login.shown);
    chmodSync(folder, 0o755);
    // The mounts are those of this spec alone.
    spawnSync('mount', ['-t', 'tmpfs', 'none', '/run']);
    mkdirSync('/run/sshd');
    const options = {
      ListenAddress: other,
      HostKey: hostKey.path,
      AuthorizedKeysFile: join(folder, 'allowed'),
      PermitRootLogin: 'yes',
      StrictModes: 'no',
      UsePAM: 'no',
      PidFile: 'none',
    };
    const given = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    sshd = runProgram('/usr/sbin/sshd', ['-D', '-e', '-f', '/dev/null', ...given]);
    await until(() => sshd?.printed().includes('listening'), 'sshd listens');
    const secret = (name: string, stringData: object) =>
      run(product.cluster.create(secrets, { metadata: { name, namespace: systemNamespace }, stringData } as never));
    await secret('core-token', { token: 'the-join-token', server: 'https://44.1.0.7:6443' });
    const knownAs = ({ shown }: { readonly shown: string }) => `${other} ${shown}`;
    await secret('rack-key', { 'ssh-privatekey': login.secret, known_hosts: knownAs(login) });
    const sshKeySecretRef = { name: 'rack-key' };
    await asked('POST', '/nodes', { name: 'rack-1', address: other, sshKeySecretRef, tags: ['fast'] });
    const told = async () => JSON.stringify(await asked<Read>('GET', '/nodes/rack-1'));
    await until(
      async () => /"Failed".*Host denied/.test(await told()),
      'another key of the server is refused',
      20_000,
    ).catch(async (error: unknown) => {
      throw new Error(`${String(error)}: ${await told()}`);
    });
    assert.not.ok(existsSync(installed));

    const known = { stringData: { known_hosts: knownAs(hostKey) } };
    await run(product.cluster.patch(secrets, { name: 'rack-key' }, known));
    await until(() => existsSync(installed), 'the installer ran');
    assert.is(readFileSync(installed, 'utf8'), 'rack-1 https://44.1.0.7:6443 the-join-token\n');
    await run(product.cluster.create(clusterNodes, { metadata: { name: 'rack-1' } }));
    await until(async () => (await told()).includes('"Joined"'), 'its node is there');
    const node = await run(product.cluster.get(clusterNodes, { name: 'rack-1' }));
    assert.is(node.metadata.labels?.['core.platform/tag-fast'], 'true');
  },
);

test('every recorded move is an arrow of its table', async () => {
  assert.equal(await auditFaults(product), []);
});

spec.run();
