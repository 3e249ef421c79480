import * as assert from 'uvu/assert';
import type { StoredCause } from '../../crds/cause.ts';
import type { CoreApp } from '../../crds/coreApp.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { isReady } from '../../rules/condition.ts';
import { apps, builds } from '../../runtime/services/cluster/kinds.ts';
import { events } from '../../runtime/services/cluster/resources.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { makeRepository } from '../support/repository.ts';
import { applySample } from '../support/sample.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';

const spec = suite('causes of builds on the embedded cluster');
const repository = makeRepository();
let product: Product;

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true } as const;
const app = (): Promise<CoreApp> => run(product.cluster.get(apps, { name: 'hello' }));
const current = async () => (await app()).status?.currentBuild ?? '';
const build = async () => run(product.cluster.get(builds, { name: await current() }));
const worst = ({ status }: { readonly status?: { readonly causes?: readonly StoredCause[] } }) => status?.causes?.[0];

interface Told extends KubeObject {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly kind: string };
}
const toldOf = async (kind: string): Promise<readonly string[]> => {
  const { items } = await run(product.cluster.list(events));
  return (items as readonly Told[])
    .filter(({ involvedObject }) => involvedObject.kind === kind)
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
};
const withCause = (reason: string) =>
  until(async () => {
    const [ofBuild, ofApp] = [worst(await build()), worst(await app())];
    return ofBuild?.reason === reason && ofApp?.reason === reason && { ofBuild, ofApp };
  }, `build and service name ${reason}`);

spec.before(async () => {
  product = await startProduct();
  await applySample(product.cluster, 'first-build.yaml');
});
spec.after(async () => {
  repository.clean();
  await product.end('SIGTERM');
  product.clean();
});

spec(
  'BLD-158 SVC-033 a service whose repository was never pushed waits for the first push, without a Warning',
  async () => {
    const { ofBuild, ofApp } = await withCause('FirstPushAwaited');
    assert.equal([ofBuild.severity, ofBuild.message], ['waiting', 'nothing was pushed yet']);
    assert.equal([ofApp.severity, ofApp.root?.kind, ofApp.root?.reason], ['waiting', 'CoreBuild', 'FirstPushAwaited']);
    const { phase, failureReason } = (await build()).status ?? {};
    assert.equal([phase, failureReason], ['Failed', 'Git host API returned 404 Not Found']);
    const told = await until(async () => {
      const of = await toldOf('CoreBuild');
      return of.includes('Normal FirstPushAwaited: nothing was pushed yet') && of;
    }, 'the wait is an Event');
    assert.equal(
      told.filter((one) => one.startsWith('Warning')),
      [],
    );
    await until(
      async () => (await toldOf('CoreApp')).some((one) => one.startsWith('Normal WaitsFor: ')),
      'the service says what it waits for',
    );
  },
);

spec('BLD-164 SVC-033 a build that fails names container, exit code and line; the service waits for it', async () => {
  const rules =
    '- match: { container: builder }\n  fails: 9\n  exitCode: 3\n  afterSeconds: 0\n  log: "error: no recipe"\n';
  await run(product.cluster.patch(configMaps, { name: 'simulated-nodes' }, { data: { pods: rules } }));
  const commit = repository.commit({ Buildfile: 'FROM scratch\n' });
  repository.push(`${product.endpoints.gitHost}/demo/hello.git`);
  const { ofBuild, ofApp } = await withCause('BuildFailed');
  assert.is(
    ofBuild.message,
    `build of ${commit.slice(0, 12)} failed in container builder: exit code ${ofBuild.exitCode}`,
  );
  assert.is(ofBuild.logLine, 'error: no recipe');
  assert.equal([ofApp.severity, ofApp.root?.name], ['waiting', await current()]);
  await until(
    async () => (await toldOf('CoreBuild')).some((one) => one.startsWith('Warning BuildFailed: ')),
    'the failure is an Event',
  );
});

spec('BLD-165 SVC-044 the causes are gone once a push was built', async () => {
  await run(product.cluster.patch(configMaps, { name: 'simulated-nodes' }, { data: { pods: '[]' } }));
  repository.commit({ Buildfile: 'FROM scratch\n# 2\n' });
  repository.push(`${product.endpoints.gitHost}/demo/hello.git`);
  await until(async () => isReady(await app()), 'the service runs');
  assert.equal([worst(await build()), worst(await app())], [undefined, undefined]);
});

spec.run();
