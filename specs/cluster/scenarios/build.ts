import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { GitApp } from '../../../runtime/gitHost/app.ts';
import { root } from '../../support/product.ts';
import { until } from '../../support/until.ts';
import { conditionIn, eased, objectOf, seconds, type StatusOf, untilCondition } from '../core.ts';
import type { Cluster } from '../fixtures/cluster.ts';
import { otherImages } from '../images.ts';
import { machineOf, needsMachine, type Steps } from '../step.ts';
import { applyAll, core, secret } from './objects.ts';
import { installed } from './install.ts';

const prepared = 'a Git host, a registry and the real builder are there';
const [address, gitPort] = ['10.123.0.1', 7080] as const;
const gitUrl = `http://${address}:${gitPort}`;
const registry = `${address}:5000`;
const [project, environment, namespace] = ['forge', 'live', 'forge-live'] as const;
const page = 'built by kaniko';

interface Service extends StatusOf {
  readonly status?: StatusOf['status'] & { readonly image?: string };
}

/** From a push to the digest that runs. */
export const build: Steps = (cluster) => [
  {
    scenario: 'build',
    title: prepared,
    after: [installed],
    lacks: () => needsMachine(cluster),
    run: async () => {
      const machine = machineOf(cluster);
      await otherImages(machine);
      const app = await startHost(cluster);
      await applyAll(cluster, ...settings(app));
      const urls = `CORE_GIT_URL=${gitUrl} CORE_GIT_API_URL=${gitUrl}/api`;
      await cluster.kubectl(`set env -n core-system deploy/core ${urls}`);
      await cluster.kubectl('rollout status -n core-system deploy/core --timeout=90s');
      await untilCondition(cluster, `coreproject ${project} -n core-system`);
      return `${gitUrl}, ${registry}/apps, kaniko v1.27.6`;
    },
  },
  {
    scenario: 'build',
    title: 'a push becomes a digest that runs',
    after: [prepared],
    run: async () => {
      await applyAll(cluster, service());
      await push(cluster);
      const from = Date.now();
      const runs = async () => {
        const hello = await objectOf<Service>(cluster, 'coreapp hello -n core-system');
        return conditionIn(hello, 'Ready')?.status === 'True' && hello;
      };
      await until(eased(runs), 'hello is Ready', 240_000).catch(async (failed: Error) => {
        const builds = await cluster.kubectl('get corebuilds -n core-system -o jsonpath={.items[*].status}');
        throw new Error(`${failed.message}: ${builds.slice(0, 400)}`);
      });
      const image = await cluster.kubectl(`get pods -n ${namespace} -o jsonpath={.items[0].spec.containers[0].image}`);
      assert.match(image, /^10\.123\.0\.1:5000\/apps\S*@sha256:[0-9a-f]{64}$/);
      const ip = await cluster.kubectl(`get pods -n ${namespace} -o jsonpath={.items[0].status.podIP}`);
      const answer = await machineOf(cluster).within(['curl', '-sf', '-m', '5', `http://${ip}:8080/`]);
      assert.is(answer.trim(), page);
      return `${image} answers "${page}" ${seconds(Date.now() - from)} after the push`;
    },
  },
];

async function startHost(cluster: Cluster): Promise<GitApp> {
  const machine = machineOf(cluster);
  const dashboard = await cluster.kubectl(
    'get service core-core-dashboard -n core-system -o jsonpath={.spec.clusterIP}',
  );
  const dataDir = join(machine.dir, 'git');
  mkdirSync(dataDir);
  const program = join(root, 'specs/cluster/fixtures/gitHost.ts');
  const args = [dataDir, address, String(gitPort), `http://${dashboard}:8085/webhooks/git`];
  const host = machine.follow([process.execPath, '--import', 'tsx', program, ...args]);
  const line = await until(() => host.lines.find(({ text }) => text.startsWith('{')), 'the Git host starts', 60_000);
  return JSON.parse(line.text) as GitApp;
}

const settings = (app: GitApp) => [
  secret('platform-git-app', {
    app_id: app.appId,
    client_id: app.clientId,
    client_secret: app.clientSecret,
    slug: app.slug,
    private_key: app.privateKeyPem,
    webhook_secret: app.webhookSecret,
  }),
  secret('platform-registry', { '.registryconfigjson': '{"auths":{}}' }),
  core('CorePlatformConfig', 'platform', {
    registry: { repository: `${registry}/apps`, credentialRef: { name: 'platform-registry' } },
    gitAppRef: { name: 'platform-git-app' },
  }),
  core('CoreProject', project, {
    clusterRef: { name: 'local' },
    environments: [environment],
    gitConnectionRef: { name: `${project}-git` },
  }),
  secret(`${project}-git-token`, { token: 'replaced-by-the-operator' }),
  core('CoreGitHostConnection', `${project}-git`, {
    project,
    secretRef: { name: `${project}-git-token` },
    installationID: 1,
  }),
];

const service = () =>
  core('CoreApp', 'hello', {
    project,
    environment,
    source: { git: { repository: 'demo/hello', branch: 'main' } },
    deploy: { enabled: true },
  });

async function push(cluster: Cluster): Promise<void> {
  const machine = machineOf(cluster);
  const dir = join(machine.dir, 'hello');
  mkdirSync(dir);
  writeFileSync(join(dir, 'Buildfile'), `FROM ${registry}/library/base:1\nCOPY index.html /www/index.html\n`);
  writeFileSync(join(dir, 'index.html'), `${page}\n`);
  const git = (...args: readonly string[]) => machine.within(['git', '-C', dir, ...args]);
  const author = ['-c', 'user.name=developer', '-c', 'user.email=developer@example.org'];
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '.');
  await git(...author, 'commit', '--quiet', '-m', 'A page');
  const url = new URL(`${gitUrl}/demo/hello.git`);
  Object.assign(url, { username: 'x-access-token', password: await tokenOf(cluster) });
  await git('push', '--quiet', url.href, 'HEAD:main');
}

/** The one that Core was given for the project. */
function tokenOf({ kubectl }: Cluster): Promise<string> {
  const read = async () => {
    const encoded = await kubectl(`get secret ${project}-git-token -n core-system -o jsonpath={.data.token}`);
    const token = Buffer.from(encoded, 'base64').toString('utf8');
    return token.startsWith('ghs_') && token;
  };
  return until(eased(read), 'Core has a token of the Git host', 60_000);
}
