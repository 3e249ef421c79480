import * as assert from 'uvu/assert';
import type { CoreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import { cloudConnectionController } from '../../../runtime/controllers/cloudConnection/controller.ts';
import { cloudConnections } from '../../../runtime/services/cluster/kinds.ts';
import { ProviderFailed } from '../../../runtime/services/managedDb.ts';
import { putDatabaseEnvironment } from '../../support/database.ts';
import { startSession } from '../../support/session.ts';
import { putConnection } from '../../support/managedDatabase.ts';
import { suite } from '../../support/suite.ts';
import type { TestEnvironment } from '../../support/environment.ts';

const spec = suite('a connection to the provider of managed databases');

async function withSession(prepare: (environment: TestEnvironment) => void, test: (session: Session) => Promise<void>) {
  const session = await begin(prepare);
  try {
    await test(session);
  } finally {
    await session.end();
  }
}
const begin = (prepare: (environment: TestEnvironment) => void) =>
  startSession<CoreCloudConnection>({
    resource: cloudConnections,
    name: 'provider',
    controllers: [cloudConnectionController()],
    prepare: (environment) => {
      putDatabaseEnvironment(environment);
      putConnection(environment);
      prepare(environment);
    },
  });
type Session = Awaited<ReturnType<typeof begin>>;

const fails = (status: number) => (environment: TestEnvironment) =>
  void (environment.provider.state.failure =
    status === 0 ? null : new ProviderFailed({ status, message: `HTTP ${status}` }));

spec('SEC-025 a managed connection is Ready when the provider accepts its token', () =>
  withSession(fails(0), async (session) => {
    await session.pass(1);
    assert.is(session.ready(), 'True Connected');
    assert.equal([...session.environment.provider.state.tokens], ['id:s3cret']);
    assert.not.match(JSON.stringify(session.object()), /s3cret/);
  }),
);

spec('a refused token is reported, and another token is tried at once', () =>
  withSession(fails(401), async (session) => {
    await session.pass(1);
    assert.is(session.ready(), 'False Refused');
    assert.is(session.message(), 'the provider refused: HTTP 401');
    fails(0)(session.environment);
    await session.edit((environment) => putConnection(environment, 'shop', 'id:other'));
    assert.is(session.ready(), 'True Connected');
  }),
);

spec('a request to a silent provider is retried', () =>
  withSession(fails(503), async (session) => {
    await session.pass(1);
    assert.is(session.ready(), 'False Unreachable');
    fails(0)(session.environment);
    await session.pass(61);
    assert.is(session.ready(), 'True Connected');
  }),
);

spec('SEC-027 a connection without a project or keys sends no request', () =>
  withSession(
    (environment) => putConnection(environment, null),
    async (session) => {
      await session.pass(1);
      assert.is(session.ready(), 'False NoProject');
      await session.edit((environment) => putConnection(environment, null, ''));
      await session.edit((environment) => putConnection(environment, 'shop', ''));
      assert.is(session.ready(), 'False KeysMissing');
      assert.is(session.message(), 'Secret "provider-token" has no key "token"');
      assert.equal(session.environment.provider.state.calls, []);
    },
  ),
);

spec.run();
