import * as assert from 'uvu/assert';
import type { CoreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import { cloudConnectionController } from '../../../runtime/controllers/cloudConnection/controller.ts';
import { cloudConnections } from '../../../runtime/services/cluster/kinds.ts';
import { ProviderFailed } from '../../../runtime/services/managedDb.ts';
import { putDatabaseEnvironment } from '../../support/database.ts';
import { liveIn } from '../../support/live.ts';
import { putConnection } from '../../support/managedDatabase.ts';
import { suite } from '../../support/suite.ts';
import type { World } from '../../support/world.ts';

const spec = suite('a connection to the provider of managed databases');

async function living(prepare: (world: World) => void, test: (live: Live) => Promise<void>) {
  const live = await begin(prepare);
  try {
    await test(live);
  } finally {
    await live.end();
  }
}
const begin = (prepare: (world: World) => void) =>
  liveIn<CoreCloudConnection>({
    resource: cloudConnections,
    name: 'provider',
    controllers: [cloudConnectionController()],
    prepare: (world) => {
      putDatabaseEnvironment(world);
      putConnection(world);
      prepare(world);
    },
  });
type Live = Awaited<ReturnType<typeof begin>>;

const fails = (status: number) => (world: World) =>
  void (world.provider.state.failure = status === 0 ? null : new ProviderFailed({ status, why: `HTTP ${status}` }));

spec('SEC-025 it is Ready once the provider answers to its token', () =>
  living(fails(0), async (live) => {
    await live.pass(1);
    assert.is(live.ready(), 'True Connected');
    assert.equal([...live.world.provider.state.tokens], ['id:s3cret']);
    assert.not.match(JSON.stringify(live.object()), /s3cret/);
  }),
);

spec('a refused token is told, and another one is tried at once', () =>
  living(fails(401), async (live) => {
    await live.pass(1);
    assert.is(live.ready(), 'False Refused');
    assert.is(live.message(), 'the provider refused: HTTP 401');
    fails(0)(live.world);
    await live.edit((world) => putConnection(world, 'shop', 'id:other'));
    assert.is(live.ready(), 'True Connected');
  }),
);

spec('a provider that does not answer is asked again', () =>
  living(fails(503), async (live) => {
    await live.pass(1);
    assert.is(live.ready(), 'False Unreachable');
    fails(0)(live.world);
    await live.pass(61);
    assert.is(live.ready(), 'True Connected');
  }),
);

spec('SEC-027 without a project, or without its keys, nobody is asked', () =>
  living(
    (world) => putConnection(world, null),
    async (live) => {
      await live.pass(1);
      assert.is(live.ready(), 'False NoProject');
      await live.edit((world) => putConnection(world, null, ''));
      await live.edit((world) => putConnection(world, 'shop', ''));
      assert.is(live.ready(), 'False KeysMissing');
      assert.is(live.message(), 'Secret "provider-token" has no key "token"');
      assert.equal(live.world.provider.state.calls, []);
    },
  ),
);

spec.run();
