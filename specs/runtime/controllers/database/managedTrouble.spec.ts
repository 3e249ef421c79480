import * as assert from 'uvu/assert';
import { Effect } from 'effect';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { Unavailable, Refused } from '../../../../runtime/services/cluster/cluster.ts';
import { putDatabase, putReadyProject, textIn } from '../../../support/database.ts';
import { putConnection } from '../../../support/managedDatabase.ts';
import { suite } from '../../../support/suite.ts';
import type { World } from '../../../support/world.ts';
import { calls, counted, failed, living, logins, state, type Through } from './managed.ts';

const spec = suite('a managed database in trouble');

spec('DB-151a a provider that is silent for 31 minutes is waited for, and its database is found again', () =>
  living(
    {},
    async (live) => {
      await live.pass(2);
      state(live).failure = failed(0);
      await live.pass(31 * 60);
      assert.is(live.message(), 'ManagedDb did not answer: no answer within 10 s');
      assert.is(live.ready(), 'False ReconcileError');
      assert.is(counted(live), 0);
      state(live).failure = null;
      live.world.provider.databases.set('orders', { kind: 'mysql', ready: true, size: '', logins: [] });
      await live.pass(31);
      assert.is(live.ready(), 'True DatabaseReady');
      assert.is(calls(live, 'create').length, 1);
    },
    ({ provider }) => void (provider.state.readyAtOnce = false),
  ),
);

spec('DB-152c a refused token ends it at once; with another one, Retry goes on', () =>
  living(
    {},
    async (live) => {
      await live.pass(2);
      assert.is(live.ready(), 'False ProvisionFailed');
      assert.is(live.message(), 'ManagedDb did not answer: HTTP 401');
      const asked = state(live).calls.length;
      await live.pass(300);
      assert.is(state(live).calls.length, asked);
      state(live).failure = null;
      await live.edit((world) => putConnection(world, 'shop', 'id:s3cret2'));
      await live.ask('provisionRetry', 'retry');
      await live.pass(40);
      assert.is(live.ready(), 'True DatabaseReady');
    },
    ({ provider }) => void (provider.state.failure = failed(401)),
  ),
);

spec('a rate limit counts nothing, however long it lasts', () =>
  living(
    {},
    async (live) => {
      await live.pass(280);
      assert.is(live.message(), 'ManagedDb did not answer: HTTP 429');
      assert.is(counted(live), 0);
      state(live).failure = null;
      await live.pass(60);
      assert.is(live.ready(), 'True DatabaseReady');
    },
    (world) => void (world.provider.state.failure = failed(429, world.now() + 300_000)),
  ),
);

spec('DB-228 a create whose answer is lost is found again', () =>
  living(
    {},
    async (live) => {
      const { databases } = live.world.provider;
      await live.pass(2);
      assert.is(databases.size, 1);
      await live.pass(31);
      assert.is(calls(live, 'create').length, 1);
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
  living(
    {},
    async (live) => {
      await live.pass(100);
      assert.is(live.ready(), 'True DatabaseReady');
      assert.is(logins(live).length, 1);
      assert.is(textIn(live.world, 'connection', 'password'), 'provided-2');
      assert.is(calls(live, 'revoke').length, 1);
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
  return living(
    {},
    async (live) => {
      await live.pass(2);
      assert.is(calls(live, 'issue').length, 1);
      assert.is(logins(live).length, 0);
      assert.is(counted(live), 1);
      isRefusing = false;
      await live.pass(40);
      assert.is(live.ready(), 'True DatabaseReady');
      assert.is(logins(live).length, 1);
      assert.is(textIn(live.world, 'connection', 'password'), logins(live)[0]?.password);
      assert.ok(
        live.messages.includes('the login could not be stored and is revoked: too large'),
        live.messages.join('; '),
      );
    },
    () => {},
    { through: refusingSecrets(() => isRefusing, new Refused({ status: 413, message: 'too large' })) },
  );
});

spec('DB-028 SEC-027 DB-176 DB-177 DB-178 a connection of another project is never used', async () => {
  const says = async (project: string | null, message: string) =>
    living(
      {},
      async (live) => {
        await live.pass(40);
        assert.is(live.message(), message);
        assert.equal(state(live).calls, []);
      },
      (world) => putConnection(world, project),
    );
  await says('blog', 'cloud connection "provider" is scoped to project "blog"');
  await says(null, 'cloud connection "provider" must be scoped to a project');
  await living({ connectionRef: { name: 'nobody' } }, async (live) => {
    await live.pass(40);
    assert.is(live.message(), 'cloud connection "nobody" was not found');
    assert.equal(state(live).calls, []);
  });
});

spec('DB-203 nothing is created at the provider while its project is not ready', () =>
  living(
    {},
    async (live) => {
      await live.pass(40);
      assert.is(live.message(), 'project "shop" is not ready');
      assert.equal(state(live).calls, []);
      await live.edit((world) => putReadyProject(world, 'True'));
      await live.pass(61);
      assert.is(live.ready(), 'True DatabaseReady');
    },
    (world) => putReadyProject(world, 'False'),
  ),
);

spec('a Secret without the keys of the provider is told, and mended', () =>
  living(
    {},
    async (live) => {
      await live.pass(2);
      assert.is(live.message(), 'ManagedDb did not answer: cloud connection "provider" is unavailable');
      assert.is(counted(live), 1);
      await live.edit((world) => putConnection(world));
      await live.pass(61);
      assert.is(live.ready(), 'True DatabaseReady');
    },
    (world) => putConnection(world, 'shop', ''),
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
      return living(
        {},
        async (live) => {
          await live.pass(61);
          if (edit.connectionRef === undefined) {
            const [what, is] = edit.engine ? ['engine', 'runs MySQL'] : ['databaseName', 'is orders'];
            assert.is(live.ready(), 'False ProvisionFailed');
            assert.is(live.message(), `the ${what} of a database cannot change (it ${is})`);
            await live.edit((world) => putDatabase(world, { engine: 'MySQL', databaseName: 'orders' }));
            await live.pass(61);
          }
          const { running, managed } = live.database().status ?? {};
          assert.is(live.ready(), 'True DatabaseReady');
          assert.equal([running?.engine, running?.databaseName], ['MySQL', 'orders']);
          assert.equal([managed?.database, managed?.kind, managed?.connection], ['orders', 'mysql', 'provider']);
          assert.match(textIn(live.world, 'connection', 'uri'), /^mysql:.*\/orders$/);
          assert.equal([...live.world.provider.databases.keys()], ['orders']);
          assert.equal(
            logins(live).map(({ password }) => password),
            [textIn(live.world, 'connection', 'password')],
          );
        },
        (world) => {
          putConnection(world, 'shop', 'id:s3cret', 'second');
          editor.world = world;
          const { service } = world.provider;
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
    world: null as World | null,
    edits: () => {
      const { world } = editor;
      if (world === null) return false;
      editor.world = null;
      putDatabase(world, edit);
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

spec('after a crash between any two of its writes there is one login, which the connection holds', async () => {
  for (let at = 0; at < 12; at++)
    await living({}, async (live) => {
      let writes = 0;
      const dying: Through = (cluster) => ({
        ...cluster,
        patchStatus: (resource, name, ...rest) =>
          resource.kind === 'CoreDatabase' && ++writes > at
            ? Effect.fail(new Unavailable({ why: 'the process ends' }))
            : cluster.patchStatus(resource, name, ...rest),
      });
      await live.crash(dying);
      await live.edit((world) => world.cluster.drop(owned.secrets, 'orders-connection', 'shop-production'));
      await live.pass(40);
      await live.crash((cluster) => cluster);
      await live.pass(120);
      assert.is(live.ready(), 'True DatabaseReady', `after ${at} writes`);
      assert.equal(
        logins(live).map(({ password }) => password),
        [textIn(live.world, 'connection', 'password')],
        `after ${at} writes`,
      );
      assert.is(calls(live, 'create').length, 1);
    });
});

spec.run();
