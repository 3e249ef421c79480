import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import { storageSecretName, userOf } from '../../../rules/backupStorage/place.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import { backupStorages } from '../../../runtime/controllers/cloud/storage.ts';
import { cloudConnections } from '../../../runtime/kinds.ts';
import { secrets } from '../../../runtime/resources.ts';
import { Cloud, type CloudShape } from '../../../runtime/services/cloud.ts';
import { answerOf, connectionName, keysIn, putConnection, putKeys, secretIn } from '../../support/cloud/world.ts';
import { accountOf } from '../../support/memory/cloud.ts';
import { suite } from '../../support/suite.ts';
import { makeWorld } from '../../support/world.ts';

const spec = suite('buckets that several bring about');
const bucket = 'core-backups';

spec('BAK-003 who bring about one bucket at a time share one key, the one that its Secret holds', async () => {
  const world = makeWorld({ now: () => 0, controllers: [] });
  putKeys(world);
  putConnection(world);
  const get: CacheReader['get'] = ({ plural }, name) =>
    [...world.cluster.all(secrets), ...world.cluster.all(cloudConnections)].find(
      (one) => one.metadata.name === name && (plural === secrets.plural) === (one.kind !== 'CoreCloudConnection'),
    ) as never;
  const { cloud } = world.cloud;
  // Others run while the cloud is asked.
  const slowly = Object.fromEntries(
    Object.entries(cloud).map(([name, ask]) => [
      name,
      (...asked: readonly never[]) =>
        Effect.andThen(Effect.yieldNow, (ask as (...of: readonly never[]) => never)(...asked)),
    ]),
  ) as unknown as CloudShape;
  const storages = backupStorages();
  const asked = { project: 'shop', connectionRef: { name: connectionName }, bucket };
  const bring = storages.bring(asked, { get } as CacheReader);
  const states = await Effect.runPromise(
    Effect.all([bring, bring, bring], { concurrency: 'unbounded' }).pipe(
      Effect.provideContext(world.services.pipe(Context.add(Cloud, slowly))),
    ),
  );
  assert.equal(
    states.map(({ is }) => is),
    ['working', 'working', 'working'],
  );
  const [key, ...others] = answerOf(cloud.accessKeys(accountOf(), userOf(bucket))) as readonly string[];
  assert.equal(others, []);
  assert.is(keysIn(secretIn(world, storageSecretName(bucket))).accessKeyId, key);
});

spec.run();
