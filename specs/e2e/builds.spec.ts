import * as assert from 'uvu/assert';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { typeMeta, type KubeObject } from '../../crds/kind.ts';
import { coreObjectStore } from '../../crds/coreObjectStore.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import type { Explanation } from '../../http/api.ts';
import { apps, builds, objectStores } from '../../runtime/services/cluster/kinds.ts';
import { jobs, pods, secrets } from '../../runtime/services/cluster/resources.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { makeRepository } from '../support/repository.ts';
import { accessKeyId, type S3, secretAccessKey, startS3 } from '../support/s3.ts';
import { applySample } from '../support/sample.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { userBuild } from '../support/environment.ts';

const spec = suite('builds against a real Git host, real Jobs and a real object store');
const repository = makeRepository();
let product: Product;
let store: S3;
let commit = '';

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true } as const;
const git = () => product.endpoints.gitHost ?? '';
const seen = (name: string): Promise<CoreBuild> => run(product.cluster.get(builds, { name }));
/** Looks again and again: an answer of the Git host is shared for a moment. */
const lookUntil = <T>(name: string, read: (build: CoreBuild) => T | undefined | false, what: string) =>
  until(async () => {
    await product.api(`/api/v1/builds/${name}/look`, { method: 'POST' });
    await pause(200);
    return read(await seen(name));
  }, what);
const pause = (ms: number) => new Promise((go) => setTimeout(go, ms));
/** How long answers of the Git host are shared. */
const sharedMs = 2_100;
const explain = async (name: string) =>
  (await (await product.api(`/api/v1/builds/${name}/explain`)).json()) as Explanation;

/** How containers run from now on. */
const simulate = (rules: string) =>
  run(product.cluster.patch(configMaps, { name: 'simulated-nodes' }, { data: { pods: rules } }));
/** A build made by hand, of the head of main, read through the project's connection. */
const make = (name: string, more: Partial<CoreBuild['spec']> = {}) => {
  const { revision: _, ...spec } = userBuild(name, {
    app: name,
    project: 'shop',
    repository: 'demo/hello',
    branch: 'main',
  }).spec;
  const connected = { connectionRef: { name: 'shop-git' }, gitCredentialRef: { name: 'shop-git-token' } };
  return run(product.cluster.create(builds, { ...userBuild(name), spec: { ...spec, ...connected, ...more } }));
};
const reaches = (name: string, phase: string) =>
  until(async () => {
    const build = await seen(name);
    return build.status?.phase === phase && build;
  }, `${name} is ${phase}`);
const check = (name: string, status: string, conclusion?: string) =>
  fetch(`${git()}/api/repos/demo/hello/check-runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, head_sha: commit, status, ...(conclusion ? { conclusion } : {}) }),
  });
const faults = (rules: readonly object[]) =>
  fetch(`${git()}/testing/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rules }),
  });

spec.before(async () => {
  [product, store] = await Promise.all([startProduct(), startS3(['build-logs'])]);
  await applySample(product.cluster, 'first-build.yaml');
  commit = repository.commit({ Buildfile: 'FROM scratch\n' });
  repository.push(`${git()}/demo/hello.git`);
  await until(async () => {
    const current = (await run(product.cluster.get(apps, { name: 'hello' }))).status?.currentBuild;
    return current !== undefined && (await seen(current)).status?.phase === 'Succeeded';
  }, 'the sample is built');
});
spec.after(async () => {
  await product.end('SIGTERM');
  await store.stop();
  product.clean();
  repository.clean();
});

spec('BLD-155 BLD-156 a build waits for its checks, shows their number, and continues when all succeeded', async () => {
  await make('checked', { waitForCI: true });
  await reaches('checked', 'WaitingForCI');
  await until(async () => (await explain('checked')).text.includes('no check run yet'), 'the explanation says so');
  await check('test', 'in_progress');
  const named = (found: CoreBuild) => found.status?.ciChecks?.includes('test') && found;
  const waiting = await lookUntil('checked', named, 'the check is named');
  assert.is(waiting.status?.ciState, 'pending');
  await until(async () => (await explain('checked')).nextLook, 'the next look is told');
  await check('test', 'completed', 'success');
  await lookUntil('checked', ({ status }) => status?.phase !== 'WaitingForCI', 'it goes on');
  const build = await reaches('checked', 'Succeeded');
  assert.is(build.status?.ciState, 'success');
});

spec('BLD-138 BLD-157 a failed check fails the build until the check passes', async () => {
  await check('lint', 'completed', 'failure');
  await make('linted', { waitForCI: true });
  const failed = await reaches('linted', 'Failed');
  assert.is(failed.status?.failureReason, 'GitHost check "lint" concluded failure');
  await check('lint', 'completed', 'success');
  await lookUntil('linted', ({ status }) => status?.phase !== 'Failed', 'it goes on');
  const build = await reaches('linted', 'Succeeded');
  assert.is(build.status?.failureReason, undefined);
  assert.is(build.status?.sourceRevision, commit);
});

spec('BLD-135 BLD-158 a refusal of the Git host is reported, and the build continues when it ends', async () => {
  await faults([{ path: '/api/repos/**/commits/*', status: 401 }]);
  await pause(sharedMs);
  await make('refused');
  const failed = await reaches('refused', 'Failed');
  assert.is(failed.status?.failureReason, 'Git host API returned 401 Unauthorized');
  await faults([]);
  await lookUntil('refused', ({ status }) => status?.phase !== 'Failed', 'it goes on');
  await reaches('refused', 'Succeeded');
});

spec('a build waits for the end of a rate limit and shows the time', async () => {
  await pause(sharedMs);
  // Time enough for a busy machine to come to wait before it ends.
  const reset = Math.floor(Date.now() / 1000) + 20;
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
  await faults([{ path: '/api/repos/**/commits/*', status: 403, headers, times: 1 }]);
  await make('limited');
  await reaches('limited', 'WaitingForCI');
  const { nextLook, text } = await until(async () => {
    const told = await explain('limited');
    return typeof told.nextLook === 'string' && told;
  }, 'the next look is told');
  assert.match(text, /limits the rate until/);
  assert.ok(Math.abs(Date.parse(nextLook ?? '') - reset * 1000) < 1_500, `next look ${nextLook}`);
  await reaches('limited', 'Succeeded');
});

spec('BLD-164 BLD-086 BLD-072 a Job that fails for good fails the build and counts its pods', async () => {
  await simulate('- match: { container: builder }\n  fails: 9\n  afterSeconds: 0\n');
  await make('broken');
  const build = await reaches('broken', 'Failed');
  assert.is(build.status?.failureReason, 'builder Job failed');
  assert.is(build.status?.retryCount, 3);
  assert.is(build.status?.completedAt, undefined);
});

spec('UI-029 the log of the git container shows why a clone failed', async () => {
  await simulate('- match: { container: git }\n  fails: 9\n  afterSeconds: 0\n  log: "fatal: Authentication failed"\n');
  await make('uncloned');
  await reaches('uncloned', 'Failed');
  const answer = await product.api('/api/v1/builds/uncloned/log?container=git');
  assert.equal([answer.status, (await answer.text()).trim()], [200, 'fatal: Authentication failed']);
});

spec('BLD-072 a build succeeds with one retry counted when its Job succeeds at the second try', async () => {
  await simulate('- match: { container: builder }\n  fails: 1\n  afterSeconds: 0\n');
  await make('retried');
  const build = await reaches('retried', 'Succeeded');
  assert.is(build.status?.retryCount, 1);
});

spec('BLD-060 the digest is read from any line of the log when there is no termination message', async () => {
  const digest = `sha256:${'5'.repeat(64)}`;
  const after = '    cleaning up\n'.repeat(2_000);
  await simulate(
    `- match: { container: builder }\n  terminationMessage: ""\n  log: |\n    Pushed registry.local/apps/shop@${digest}\n${after}`,
  );
  await make('logged');
  assert.is((await reaches('logged', 'Succeeded')).status?.imageDigest, digest);
});

spec('BLD-166 BLD-131 a build without a digest fails', async () => {
  await simulate('- match: { container: builder }\n  terminationMessage: ""\n  log: nothing to see\n');
  await make('undigested');
  const build = await reaches('undigested', 'Failed');
  assert.is(build.status?.failureReason, 'Builder completed without an immutable image digest');
});

spec('BLD-150 BLD-139 a context that leaves the repository fails before any Job', async () => {
  await make('escaped', { context: '../..' });
  const build = await reaches('escaped', 'Failed');
  assert.is(build.status?.failureReason, 'build context path leaves the repository');
  assert.is(build.status?.jobRef, undefined);
});

spec('BLD-081 a deleted build is deleted with its Job and pods', async () => {
  await simulate('[]');
  await make('deleted');
  await reaches('deleted', 'Succeeded');
  const left = async () => {
    const { items: ofJobs } = await run(product.cluster.list(jobs));
    const { items: ofPods } = await run(product.cluster.list(pods));
    return [...ofJobs, ...ofPods].filter(({ metadata }) => metadata.name.startsWith('deleted-builder')).length;
  };
  assert.is(await left(), 2);
  await run(product.cluster.remove(builds, { name: 'deleted' }));
  await until(async () => (await left()) === 0, 'both are gone');
});

spec('BLD-183 a build fails when a user deletes its Job', async () => {
  await simulate('- match: { container: builder }\n  hang: true\n');
  await make('orphaned');
  await reaches('orphaned', 'Running');
  await run(product.cluster.remove(jobs, { name: 'orphaned-builder' }));
  assert.is((await reaches('orphaned', 'Failed')).status?.failureReason, 'builder Job failed');
});

spec(
  'BLD-051 BLD-070 BLD-093 BLD-094 BLD-175 the log is archived when the object store exists and is Ready',
  async () => {
    await simulate('[]');
    const text = (value: string) => Buffer.from(value).toString('base64');
    await run(
      product.cluster.create(secrets, {
        metadata: { name: 'build-logs-keys', namespace: systemNamespace },
        data: { ACCESS_KEY_ID: text(accessKeyId), ACCESS_SECRET_KEY: text(secretAccessKey) },
      } as KubeObject),
    );
    await run(
      product.cluster.create(objectStores, {
        ...typeMeta(coreObjectStore),
        // A store of somebody's own, which nobody brings about.
        metadata: { name: 'build-logs', namespace: systemNamespace, annotations: { [annotation.paused]: 'true' } },
        spec: { mode: 'Bucket', region: 'us-east-1', deploy: { enabled: true } },
      }),
    );
    await make('archived', { logStoreRef: { name: 'build-logs' } });
    const before = await reaches('archived', 'Succeeded');
    assert.is(
      before.status?.logRef,
      'pod-log://archived-builder/builder',
      'a store that is not ready holds nothing back',
    );
    await run(
      product.cluster.patchStatus(
        objectStores,
        { name: 'build-logs' },
        {
          endpoint: store.url,
          bucket: 'build-logs',
          credentialSecret: 'build-logs-keys',
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'External',
              message: 'ours',
              lastTransitionTime: new Date().toISOString(),
            },
          ],
        },
      ),
    );
    await until(
      async () => (await seen('archived')).status?.logRef === 'object://build-logs/builds/archived.log',
      'the log is archived',
    );
    const kept = store.objects.get('build-logs/builds/archived.log');
    assert.match(kept?.text ?? '', /Pushed registry\.local\/apps\/shop@sha256:/);
    const answer = await product.api('/api/v1/builds/archived/log');
    assert.is(await answer.text(), kept?.text);
  },
);

spec('BLD-096 the newest ten finished builds of a service are kept', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `many-${index}`);
  for (const name of names) {
    await make(name, { app: 'many' });
    await run(product.cluster.patch(builds, { name }, { metadata: { labels: { 'core.platform/app': 'many' } } }));
  }
  await until(async () => {
    const { items } = await run(product.cluster.list(builds, { labelSelector: 'core.platform/app=many' }));
    return items.length === 10 && items.every(({ status }) => status?.phase === 'Succeeded');
  }, 'ten are left');
});

spec.run();
