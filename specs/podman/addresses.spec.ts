import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { type Api, startCluster } from '../../runtime/embedded/index.ts';
import { clusterOptions } from '../../runtime/local/clusterOptions.ts';
import { at, textAt } from '../../runtime/embedded/api/json.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { blockCloudMetadata } from '../../rules/project/policies.ts';
import { enterOwnNetwork, machineBeyond } from './ownNetwork.ts';
import { importBusybox, lacksPodman, type OwnPodman, ownPodman } from './ownPodman.ts';
import { importPrograms } from './serverImages.ts';

const missing = isWhole ? (lacksPodman() ?? enterOwnNetwork()) : 'containers are run by npm run whole';
const spec = suite('addresses of containers');
const test = unless(spec, missing);

const dataDir = mkdtempSync(join(tmpdir(), 'core-addresses-'));
let [podman, api, image]: [OwnPodman | null, Api | null, string] = [null, null, ''];

spec.before(async () => {
  if (missing !== null) return;
  podman = await ownPodman('shared');
  image = await importBusybox(podman);
  api = await startCluster({
    ...clusterOptions,
    dataDir,
    host: '127.0.0.1',
    port: 0,
    mode: 'podman',
    exec: 'simulated',
    podmanSocket: podman.podman.socket,
  });
  for (const name of ['a', 'b'])
    await ask('POST', '/api/v1/namespaces', { metadata: { name, labels: { project: name } } });
});
spec.after(async () => {
  await api?.stop();
  await podman?.end();
  rmSync(dataDir, { recursive: true, force: true });
});

async function answerTo(method: string, path: string, body?: object): Promise<IncomingMessage> {
  if (!api) throw new Error('the cluster is not started');
  const headers = { Authorization: `Bearer ${api.token}`, 'Content-Type': 'application/json' };
  const sent = request(`${api.url}${path}`, { method, ca: api.caPem, headers, agent: false });
  sent.end(body && JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer;
}

const readText = async (path: string) => text(await answerTo('GET', path));

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await answerTo(method, path, body);
  const read = await json(answer);
  if ((answer.statusCode ?? 500) >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(read)}`);
  return read;
}

const container = (command: string) => ({ name: 'main', image, command: ['/bin/sh', '-c', command] });
const serving = 'mkdir -p /www && hostname > /www/index.html && exec httpd -f -p 8080 -h /www';
const podIn = (namespace: string, name: string, command: string, labels = {}) =>
  ask('POST', `/api/v1/namespaces/${namespace}/pods`, {
    metadata: { name, labels },
    spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 0, containers: [container(command)] },
  });
const statusOf = (namespace: string, name: string) => ask('GET', `/api/v1/namespaces/${namespace}/pods/${name}`);
/** What a pod said that ran to its end. */
async function said(namespace: string, name: string, command: string): Promise<string> {
  await podIn(namespace, name, `(${command}) > /dev/termination-log 2>/dev/null`);
  return lastWords(namespace, name);
}

async function lastWords(namespace: string, name: string): Promise<string> {
  const over = await until(async () => {
    const pod = await statusOf(namespace, name);
    return ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase')) ? pod : null;
  }, `${name} ends`);
  return textAt(over, 'status', 'containerStatuses', 0, 'state', 'terminated', 'message').trim();
}

const connectTo = (ip: string, port: number) =>
  `(printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 3 ${ip} ${port} | busybox tail -n 1 | busybox grep . || echo refused)`;
const visitOf = (name: string, port: number) =>
  `ip=$(busybox nslookup ${name} | busybox sed -n '/^Name/,$s/^Address[^:]*: //p'); if test -n "$ip"; then ${connectTo('$ip', port)}; else echo unknown; fi`;

async function visit(host: string): Promise<string> {
  const sent = plainRequest({ host: '127.0.0.1', port: 8080, headers: { host }, agent: false });
  sent.end();
  try {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return `${answer.statusCode} ${(await text(answer)).trim()}`;
  } catch (why) {
    return String(why);
  }
}

test('NET-003 NET-010 pods reach Services by name, visitors reach hosts, and pods of another project are refused', async () => {
  await podIn('a', 'web-1', serving, { app: 'web' });
  await ask('POST', '/api/v1/namespaces/a/services', {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  });
  await ask('POST', '/apis/networking.k8s.io/v1/namespaces/a/networkpolicies', {
    metadata: { name: 'isolation' },
    spec: {
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ namespaceSelector: { matchLabels: { project: 'a' } } }] }],
    },
  });
  const backend = { service: { name: 'web', port: { name: 'http' } } };
  await ask('POST', '/apis/networking.k8s.io/v1/namespaces/a/ingresses', {
    metadata: { name: 'web' },
    spec: { rules: [{ host: 'web.apps.localhost', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
  });
  await until(async () => (await visit('web.apps.localhost')) === '200 web-1', 'the visitor is led to the container');
  const ip = textAt(await statusOf('a', 'web-1'), 'status', 'podIP');
  const [own, other] = await Promise.all([
    said('a', 'asks', [visitOf('web', 80), visitOf('web.a.svc.cluster.local', 80), connectTo(ip, 8080)].join('; ')),
    said('b', 'asks', [visitOf('web', 80), visitOf('web.a', 80), connectTo(ip, 8080)].join('; ')),
  ]);
  assert.equal(own.split('\n'), ['web-1', 'web-1', 'web-1']);
  // It has no `web` of its own, it finds that of the other one closed, and it does not reach the pod past the Service.
  assert.equal(other.split('\n'), ['unknown', 'refused', 'refused']);
});

test('NET-007 a pod of a project reaches addresses beyond the machine, except the cloud metadata service', async () => {
  const pages = join(dataDir, 'pages');
  mkdirSync(pages);
  writeFileSync(join(pages, 'index.html'), 'beyond\n');
  const [metadata, elsewhere] = ['169.254.169.254', '203.0.113.7'] as const;
  const end = await machineBeyond(pages, metadata, elsewhere);
  const { spec: policy } = blockCloudMetadata({ project: 'a', environment: 'production', cluster: 'local' });
  await ask('POST', '/apis/networking.k8s.io/v1/namespaces/a/networkpolicies', {
    metadata: { name: 'core-block-cloud-metadata' },
    spec: policy,
  });
  const visits = [metadata, elsewhere].map((address) => connectTo(address, 80)).join('; ');
  const [restricted, open] = await Promise.all([said('a', 'out', visits), said('b', 'out', visits)]);
  end();
  assert.equal(restricted.split('\n'), ['refused', 'beyond']);
  assert.equal(open.split('\n'), ['beyond', 'beyond'], 'a pod that no policy restricts reaches both');
});

test('a probe of a named port fails without a listener and succeeds with one', async () => {
  const readinessProbe = { tcpSocket: { port: 'http' }, periodSeconds: 1, failureThreshold: 1 };
  const ports = [{ name: 'http', containerPort: 8080 }];
  const waits = 'until test -f /go; do sleep 0.1; done; exec httpd -f -p 8080';
  await ask('POST', '/api/v1/namespaces/b/pods', {
    metadata: { name: 'listens' },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ ...container(waits), ports, readinessProbe }],
    },
  });
  const isReady = async () => at(await statusOf('b', 'listens'), 'status', 'containerStatuses', 0, 'ready') === true;
  const refused = () => ask('GET', '/api/v1/namespaces/b/events').then((list) => JSON.stringify(list));
  await until(async () => /Readiness probe failed: connect ECONNREFUSED/.test(await refused()), 'nobody listens');
  assert.is(await isReady(), false);
  const id = textAt(await statusOf('b', 'listens'), 'status', 'containerStatuses', 0, 'containerID');
  await podman?.podman.call({
    method: 'PUT',
    path: `/containers/${id.replace('podman://', '')}/archive`,
    query: { path: '/' },
    body: execFileSync('tar', ['-C', emptyFile(), '-c', 'go']),
  });
  await until(isReady, 'it is ready');
});

function emptyFile(): string {
  writeFileSync(join(dataDir, 'go'), '');
  return dataDir;
}

test('a pod has a token of its account, which the API accepts until the pod ends', async () => {
  await podIn('b', 'account', 'echo $(cat /var/run/secrets/kubernetes.io/serviceaccount/token); sleep 60');
  const token = await until(async () => {
    if (textAt(await statusOf('b', 'account'), 'status', 'phase') !== 'Running') return null;
    const log = await readText('/api/v1/namespaces/b/pods/account/log');
    return log.startsWith('ey') && log;
  }, 'it tells its token');
  const reviewed = async () => {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    const { status } = (await ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review)) as {
      readonly status: { readonly authenticated?: boolean; readonly user?: { readonly username?: string } };
    };
    return status.authenticated === true ? status.user?.username : null;
  };
  assert.is(await reviewed(), 'system:serviceaccount:b:default');
  await ask('DELETE', '/api/v1/namespaces/b/pods/account');
  await until(async () => (await reviewed()) === null, 'the token ends');
});

test('a pod reaches and trusts the API by name and by variables, and is authenticated by its token', async () => {
  if (!podman) throw new Error('podman is not started');
  const curl = 'registry.local/spec/curl:1';
  await importPrograms(podman, curl, ['/usr/bin/curl']);
  const account = '/var/run/secrets/kubernetes.io/serviceaccount';
  const asked = (address: string) =>
    `curl -sS -m 10 --cacert ${account}/ca.crt -H "Authorization: Bearer $(cat ${account}/token)" -o /tmp/answer -w '%{http_code} ' ${address}/api/v1/namespaces/b/pods; grep -o 'system:serviceaccount:b:default' /tmp/answer | head -n 1`;
  const spec = (command: string) => ({
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'main', image: curl, command: ['sh', '-c', `(${command}) > /dev/termination-log 2>&1`] }],
  });
  const byBoth = ['https://kubernetes.default.svc', 'https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT'];
  const put = (name: string, body: object) =>
    ask('POST', '/api/v1/namespaces/b/pods', { metadata: { name }, spec: body });
  await put('client', spec(byBoth.map(asked).join('; ')));
  await put('stranger', { ...spec(`ls ${account} || true`), automountServiceAccountToken: false });
  // Nobody gave the account a right, so the answer that names it is a refusal.
  const refused = '403 system:serviceaccount:b:default';
  assert.is(await lastWords('b', 'client'), `${refused}\n${refused}`);
  assert.match(await lastWords('b', 'stranger'), /cannot access/);
});

test('every visitor is answered by the other copy while one copy is stopped', async () => {
  await podIn('a', 'web-2', serving, { app: 'web' });
  await until(async () => (await visit('web.apps.localhost')) === '200 web-2', 'the second copy answers');
  const asking = { is: true };
  const answers = new Map<string, number>();
  const visitors = Array.from({ length: 3 }, async () => {
    while (asking.is) {
      const answer = await visit('web.apps.localhost');
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  });
  await ask('DELETE', '/api/v1/namespaces/a/pods/web-1');
  await until(
    () =>
      statusOf('a', 'web-1').then(
        () => false,
        () => true,
      ),
    'the first copy is gone',
  );
  asking.is = false;
  await Promise.all(visitors);
  assert.equal(
    [...answers.keys()].filter((answer) => !['200 web-1', '200 web-2'].includes(answer)),
    [],
    JSON.stringify([...answers]),
  );
});

spec.run();
