import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import { storageSecretName, userOf } from '../../../rules/backupStorage/place.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import { backupStorages } from '../../../runtime/controllers/cloudAccess/storage.ts';
import { cloudConnections } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { Cloud, type CloudShape } from '../../../runtime/services/cloud.ts';
import { answerOf, connectionName, keysIn, putConnection, putKeys, secretIn } from '../../support/cloud/objects.ts';
import { accountOf } from '../../support/memory/cloud.ts';
import { suite } from '../../support/suite.ts';
import { makeTestEnvironment } from '../../support/environment.ts';

const spec = suite('concurrent reconciles of a bucket');
const bucket = 'core-backups';
const asked = { project: 'shop', connectionRef: { name: connectionName }, bucket };

function withConnection() {
  const environment = makeTestEnvironment({ now: () => 0, controllers: [] });
  putKeys(environment);
  putConnection(environment);
  return environment;
}

const readerOf = ({ cluster }: ReturnType<typeof withConnection>): CacheReader => {
  const get: CacheReader['get'] = ({ plural }, name) =>
    [...cluster.all(secrets), ...cluster.all(cloudConnections)].find(
      (one) => one.metadata.name === name && (plural === secrets.plural) === (one.kind !== 'CoreCloudConnection'),
    ) as never;
  return { get } as CacheReader;
};

spec('BAK-003 concurrent reconciles of one bucket share the one key in its Secret', async () => {
  const environment = withConnection();
  const { cloud } = environment.cloud;
  // Others run while the cloud is asked.
  const slowly = Object.fromEntries(
    Object.entries(cloud).map(([name, ask]) => [
      name,
      (...asked: readonly never[]) =>
        Effect.andThen(Effect.yieldNow, (ask as (...of: readonly never[]) => never)(...asked)),
    ]),
  ) as unknown as CloudShape;
  const storages = backupStorages();
  const reconcile = storages.reconcile(asked, readerOf(environment));
  const states = await Effect.runPromise(
    Effect.all([reconcile, reconcile, reconcile], { concurrency: 'unbounded' }).pipe(
      Effect.provideContext(environment.services.pipe(Context.add(Cloud, slowly))),
    ),
  );
  assert.equal(
    states.map(({ is }) => is),
    ['working', 'working', 'working'],
  );
  const [key, ...others] = answerOf(cloud.accessKeys(accountOf(), userOf(bucket))) as readonly string[];
  assert.equal(others, []);
  assert.is(keysIn(secretIn(environment, storageSecretName(bucket))).accessKeyId, key);
});

spec(
  'the Secret of a bucket is unchanged when the region comes from the bucket instead of the connection',
  async () => {
    const environment = withConnection();
    const elsewhere: CloudShape = { ...environment.cloud.cloud, bucketRegion: () => Effect.succeed('elsewhere') };
    const storages = backupStorages();
    const reconcile = (region?: string) =>
      Effect.runPromise(
        storages
          .reconcile({ ...asked, ...(region === undefined ? {} : { region }) }, readerOf(environment))
          .pipe(Effect.provideContext(environment.services.pipe(Context.add(Cloud, elsewhere)))),
      );
    await reconcile();
    const { resourceVersion } = secretIn(environment, storageSecretName(bucket))?.metadata ?? {};
    // An archive asks with the region that it found, the project with none.
    for (const region of ['elsewhere', undefined, 'elsewhere', undefined])
      assert.is((await reconcile(region)).is, 'working');
    assert.is(secretIn(environment, storageSecretName(bucket))?.metadata.resourceVersion, resourceVersion);
  },
);

spec.run();
