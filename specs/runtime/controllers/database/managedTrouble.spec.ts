import * as assert from 'uvu/assert';
import { Effect } from 'effect';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { Unavailable, Refused } from '../../../../runtime/services/cluster/cluster.ts';
import { putDatabase, putReadyProject, textIn } from '../../../support/database.ts';
import { putConnection } from '../../../support/managedDatabase.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { calls, counted, failed, withSession, logins, state, type Through } from './managed.ts';

const spec = suite('failures of a managed database');

spec('DB-151a a managed database waits for a provider that is silent for 31 minutes and then finds its database', () =>
  withSession(
    {},
    async (session) => {
      await session.pass(2);
      state(session).failure = failed(0);
      await session.pass(31 * 60);
      assert.is(session.message(), 'ManagedDb did not answer: no answer within 10 s');
      assert.is(session.ready(), 'False ReconcileError');
      assert.is(counted(session), 0);
      state(session).failure = null;
      session.environment.provider.databases.set('orders', { kind: 'mysql', ready: true, size: '', logins: [] });
      await session.pass(31);
      assert.is(session.ready(), 'True DatabaseReady');
      assert.is(calls(session, 'create').length, 1);
    },
    ({ provider }) => void (provider.state.readyAtOnce = false),
  ),
);

spec('DB-152c a refused token fails a managed database at once, and Retry continues with another token', () =>
  withSession(
    {},
    async (session) => {
      await session.pass(2);
      assert.is(session.ready(), 'False ProvisionFailed');
      assert.is(session.message(), 'ManagedDb did not answer: HTTP 401');
      const asked = state(session).calls.length;
      await session.pass(300);
      assert.is(state(session).calls.length, asked);
      state(session).failure = null;
      await session.edit((environment) => putConnection(environment, 'shop', 'id:s3cret2'));
      await session.ask('provisionRetry', 'retry');
      await session.pass(40);
      assert.is(session.ready(), 'True DatabaseReady');
    },
    ({ provider }) => void (provider.state.failure = failed(401)),
  ),
);

spec('a rate limit of any length counts no failure', () =>
  withSession(
    {},
    async (session) => {
      await session.pass(280);
      assert.is(session.message(), 'ManagedDb did not answer: HTTP 429');
      assert.is(counted(session), 0);
      state(session).failure = null;
      await session.pass(60);
      assert.is(session.ready(), 'True DatabaseReady');
    },
    (environment) => void (environment.provider.state.failure = failed(429, environment.now() + 300_000)),
  ),
);

spec('DB-228 a database is adopted at the provider when the answer to its creation was lost', () =>
  withSession(
    {},
    async (session) => {
      const { databases } = session.environment.provider;
      await session.pass(2);
      assert.is(databases.size, 1);
      await session.pass(31);
      assert.is(calls(session, 'create').length, 1);
    },
    ({ provider }) => {
      // It is created, and the answer does not come.
      const { service, databases, state: own } = provider;
      Object.assign(service, {
        create: (_: unknown, { name, kind }: { readonly name: string; readonly kind: string }) =>
          Effect.suspend(() => {
            own.calls.push(`create ${name} ${kind}`);
            databases.set(name, { kind, ready: true, size: '', logins: [] });
            return Effect.fail(failed(0));
          }),
      });
    },
  ),
);

spec('DB-231b a login whose answer is lost is revoked by its name before another one is issued', () =>
  withSession(
    {},
    async (session) => {
      await session.pass(100);
      assert.is(session.ready(), 'True DatabaseReady');
      assert.is(logins(session).length, 1);
      assert.is(textIn(session.environment, 'connection', 'password'), 'provided-2');
      assert.is(calls(session, 'revoke').length, 1);
    },
    ({ provider: { service } }) => {
      let lost = 0;
      const { issue } = service;
      Object.assign(service, {
        issue: (...given: Parameters<typeof issue>) =>
          Effect.flatMap(issue(...given), (login) => (lost++ === 0 ? Effect.fail(failed(0)) : Effect.succeed(login))),
      });
    },
  ),
);

const refusingSecrets =
  (isRefused: () => boolean, error: Unavailable | Refused): Through =>
  (cluster) => ({
    ...cluster,
    apply: (resource, object, over) =>
      resource.kind === 'Secret' && object.metadata.name === 'orders-connection' && isRefused()
        ? Effect.fail(error)
        : cluster.apply(resource, object, over),
  });

let isRefusing = true;
spec('DB-100 DB-233 a login that cannot be stored is revoked, and the next one waits', () => {
  isRefusing = true;
  return withSession(
    {},
    async (session) => {
      await session.pass(2);
      assert.is(calls(session, 'issue').length, 1);
      assert.is(logins(session).length, 0);
      assert.is(counted(session), 1);
      isRefusing = false;
      await session.pass(40);
      assert.is(session.ready(), 'True DatabaseReady');
      assert.is(logins(session).length, 1);
      assert.is(textIn(session.environment, 'connection', 'password'), logins(session)[0]?.password);
      assert.ok(
        session.messages.includes('the login could not be stored and is revoked: too large'),
        session.messages.join('; '),
      );
    },
    () => {},
    { through: refusingSecrets(() => isRefusing, new Refused({ status: 413, message: 'too large' })) },
  );
});

spec('DB-028 SEC-027 DB-176 DB-177 DB-178 a connection of another project is never used', async () => {
  const text = async (project: string | null, message: string) =>
    withSession(
      {},
      async (session) => {
        await session.pass(40);
        assert.is(session.message(), message);
        assert.equal(state(session).calls, []);
      },
      (environment) => putConnection(environment, project),
    );
  await text('blog', 'cloud connection "provider" is scoped to project "blog"');
  await text(null, 'cloud connection "provider" must be scoped to a project');
  await withSession({ connectionRef: { name: 'nobody' } }, async (session) => {
    await session.pass(40);
    assert.is(session.message(), 'cloud connection "nobody" was not found');
    assert.equal(state(session).calls, []);
  });
});

spec('DB-203 nothing is created at the provider while its project is not ready', () =>
  withSession(
    {},
    async (session) => {
      await session.pass(40);
      assert.is(session.message(), 'project "shop" is not ready');
      assert.equal(state(session).calls, []);
      await session.edit((environment) => putReadyProject(environment, 'True'));
      await session.pass(61);
      assert.is(session.ready(), 'True DatabaseReady');
    },
    (environment) => putReadyProject(environment, 'False'),
  ),
);

spec('a Secret without the keys of the provider is reported until the keys are added', () =>
  withSession(
    {},
    async (session) => {
      await session.pass(2);
      assert.is(session.message(), 'ManagedDb did not answer: cloud connection "provider" is unavailable');
      assert.is(counted(session), 1);
      await session.edit((environment) => putConnection(environment));
      await session.pass(61);
      assert.is(session.ready(), 'True DatabaseReady');
    },
    (environment) => putConnection(environment, 'shop', ''),
  ),
);

const edits: readonly Partial<DatabaseSpec>[] = [
  { databaseName: 'other' },
  { engine: 'Postgres' },
  { connectionRef: { name: 'second' } },
];
const moments = ['claimed', 'stored'] as const;
for (const edit of edits)
  for (const moment of moments)
    spec(`DB-030 DB-231 an edited ${Object.keys(edit).join()} changes nothing of a login that was ${moment}`, () => {
      const editor = editingOnce(edit);
      return withSession(
        {},
        async (session) => {
          await session.pass(61);
          if (edit.connectionRef === undefined) {
            const [what, is] = edit.engine ? ['engine', 'runs MySQL'] : ['databaseName', 'is orders'];
            assert.is(session.ready(), 'False ProvisionFailed');
            assert.is(session.message(), `the ${what} of a database cannot change (it ${is})`);
            await session.edit((environment) => putDatabase(environment, { engine: 'MySQL', databaseName: 'orders' }));
            await session.pass(61);
          }
          const { running, managed } = session.database().status ?? {};
          assert.is(session.ready(), 'True DatabaseReady');
          assert.equal([running?.engine, running?.databaseName], ['MySQL', 'orders']);
          assert.equal([managed?.database, managed?.kind, managed?.connection], ['orders', 'mysql', 'provider']);
          assert.match(textIn(session.environment, 'connection', 'uri'), /^mysql:.*\/orders$/);
          assert.equal([...session.environment.provider.databases.keys()], ['orders']);
          assert.equal(
            logins(session).map(({ password }) => password),
            [textIn(session.environment, 'connection', 'password')],
          );
        },
        (environment) => {
          putConnection(environment, 'shop', 'id:s3cret', 'second');
          editor.environment = environment;
          const { service } = environment.provider;
          const { hasLogin } = service;
          if (moment === 'claimed')
            Object.assign(service, {
              hasLogin: (...given: Parameters<typeof hasLogin>) =>
                Effect.suspend(() => (editor.edits() ? Effect.fail(failed(503)) : hasLogin(...given))),
            });
        },
        { through: moment === 'stored' ? editor.storing : (cluster) => cluster },
      );
    });

/** Edits the database once: when it is asked to, or while its connection is written. */
function editingOnce(edit: Partial<DatabaseSpec>) {
  const editor = {
    environment: null as TestEnvironment | null,
    edits: () => {
      const { environment } = editor;
      if (environment === null) return false;
      editor.environment = null;
      putDatabase(environment, edit);
      return true;
    },
    storing: ((cluster) => ({
      ...cluster,
      apply: (resource, object, over) => {
        if (object.metadata.name === 'orders-connection') editor.edits();
        return cluster.apply(resource, object, over);
      },
    })) satisfies Through,
  };
  return editor;
}

spec('one login exists, held by the connection, after a crash between any two writes', async () => {
  for (let at = 0; at < 12; at++)
    await withSession({}, async (session) => {
      let writes = 0;
      const dying: Through = (cluster) => ({
        ...cluster,
        patchStatus: (resource, name, ...rest) =>
          resource.kind === 'CoreDatabase' && ++writes > at
            ? Effect.fail(new Unavailable({ message: 'the process ends' }))
            : cluster.patchStatus(resource, name, ...rest),
      });
      await session.crash(dying);
      await session.edit((environment) =>
        environment.cluster.drop(owned.secrets, 'orders-connection', 'shop-production'),
      );
      await session.pass(40);
      await session.crash((cluster) => cluster);
      await session.pass(120);
      assert.is(session.ready(), 'True DatabaseReady', `after ${at} writes`);
      assert.equal(
        logins(session).map(({ password }) => password),
        [textIn(session.environment, 'connection', 'password')],
        `after ${at} writes`,
      );
      assert.is(calls(session, 'create').length, 1);
    });
});

spec.run();
