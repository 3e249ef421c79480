import { join } from 'node:path';
import { Effect } from 'effect';
import { type KubeConfig, CoreV1Api } from '@kubernetes/client-node';
import * as assert from 'uvu/assert';
import { systemNamespace } from '../../crds/names.ts';
import { newGitApp } from '../../runtime/gitHost/app.ts';
import { keptCloudKey } from '../../runtime/local/cloud/account.ts';
import { seed } from '../../runtime/local/seed.ts';
import { clusters, platformConfigs } from '../../runtime/services/cluster/kinds.ts';
import { kubeCluster } from '../../runtime/services/kube/cluster.ts';
import { kubeConfigOf } from '../../runtime/services/kube/config.ts';
import { started } from '../runtime/embedded/started.ts';
import { type Product, password, run, startProduct } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('removal of the platform namespace at run time');
const test = unless(spec, isWhole ? null : 'namespaces are removed by `npm run whole`');
const longMs = 120_000;
const isMissing = /^the Secret core-system\/core-dashboard-auth is missing, so nobody can sign in;/;

const coreOf = (config: KubeConfig) => config.makeApiClient(CoreV1Api);

/** What a sign-in is answered: its code, and the words of a refusal. */
async function signIn({ endpoints }: Product) {
  const answer = await fetch(new URL('/api/login', endpoints.dashboard ?? ''), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  const { error = '' } = (await answer.json()) as { readonly error?: string };
  return { status: answer.status, error };
}

const readiness = async ({ endpoints }: Product) =>
  (await (await fetch(new URL('/readyz', endpoints.health ?? ''))).json()) as { ok: boolean; why?: string };
const isIn = async (product: Product) => (await signIn(product)).status === 200;

test('a removed core-system namespace is restored with its contents, and the password still works', async () => {
  const product = await startProduct();
  try {
    const config = kubeConfigOf(product.endpoints.kubeconfig ?? '');
    assert.ok((await product.api('/api/v1/builds')).ok);
    const before = await coreOf(config).readNamespace({ name: systemNamespace });
    await coreOf(config).deleteNamespace({ name: systemNamespace });
    await until(
      async () => {
        const found = await coreOf(config)
          .readNamespace({ name: systemNamespace })
          .catch(() => null);
        return found !== null && found.metadata?.uid !== before.metadata?.uid;
      },
      'the namespace is a new one',
      longMs,
    );
    await until(
      async () => {
        const { status, error } = await signIn(product);
        // Nothing but the plain words in between.
        if (status !== 200) assert.match(error, isMissing, `${status}`);
        return status === 200;
      },
      'the admin signs in',
      longMs,
    );
    assert.is((await product.api('/api/v1/builds')).status, 401, 'a session of before is over');
    await until(async () => (await readiness(product)).ok, 'it is ready', longMs);
    await until(
      async () => (await run(product.cluster.list(platformConfigs))).items.length === 1,
      'the platform has its settings',
      longMs,
    );
    await run(product.cluster.get(clusters, { name: 'local' }));
  } finally {
    await product.end('SIGTERM');
    product.clean();
  }
});

test('a removed operator account is restored', async () => {
  const product = await startProduct();
  try {
    const core = coreOf(kubeConfigOf(product.endpoints.kubeconfig ?? ''));
    const account = { namespace: systemNamespace, name: 'core' };
    const { metadata } = await core.readNamespacedServiceAccount(account);
    await core.deleteNamespacedServiceAccount(account);
    await until(
      async () => {
        const found = await core.readNamespacedServiceAccount(account).catch(() => null);
        return found !== null && found.metadata?.uid !== metadata?.uid;
      },
      'the account is a new one',
      longMs,
    );
    await until(() => isIn(product), 'the operator has its new credentials', longMs);
  } finally {
    await product.end('SIGTERM');
    product.clean();
  }
});

test('every surface reports a missing definition of an external cluster until the definition exists', async () => {
  const api = await started();
  const config = kubeConfigOf(api.kubeconfigPath);
  await run(
    seed(kubeCluster(config), {
      app: await newGitApp(api.dataDir),
      cloudKey: keptCloudKey(join(api.dataDir, 'cloud')),
    }).pipe(Effect.orDie),
  );
  const product = await startProduct({ args: ['--kubeconfig', api.kubeconfigPath] });
  try {
    assert.ok(await isIn(product));
    await coreOf(config).deleteNamespace({ name: systemNamespace });
    await until(async () => !(await readiness(product)).ok, 'it is not ready', longMs);
    assert.match((await readiness(product)).why ?? '', isMissing);
    const { status, error } = await signIn(product);
    assert.is(status, 503);
    assert.match(error, isMissing);
    const read = await fetch(new URL('/api/v1/builds', product.endpoints.dashboard ?? ''));
    assert.is(read.status, 503);
    assert.match(((await read.json()) as { error: string }).error, isMissing);
    assert.is(
      (await fetch(new URL('/healthz', product.endpoints.health ?? ''))).status,
      200,
      'a restart heals nothing',
    );
    // The lease went with the namespace: nobody leads who could make anything anew.
    await until(
      () => /"message":"failed to acquire leader lease".*core-system/.test(product.stderr()),
      'the log says why',
      longMs,
    );

    await until(
      async () =>
        coreOf(config)
          .createNamespace({ body: { metadata: { name: systemNamespace } } })
          .then(
            () => true,
            () => false,
          ),
      'the namespace is made by hand',
      longMs,
    );
    await until(() => isIn(product), 'the admin signs in', longMs);
    await until(async () => (await readiness(product)).ok, 'it is ready', longMs);
  } finally {
    await product.end('SIGTERM');
    product.clean();
    await api.end();
  }
});

spec.run();
