import { Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import { httpManagedDb } from '../../../runtime/services/httpManagedDb.ts';
import type { ManagedDbShape, ProviderFailed } from '../../../runtime/services/managedDb.ts';
import { providerRetry } from '../../../rules/managedDatabase/provider.ts';
import { noContract, type Provider, type ProviderFault, startProvider } from '../../support/managedDb.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';

const plain = suite('the provider of managed databases over its published API');
const spec = unless(plain, noContract);
const account = { organization: 'acme', token: 'id:s3cret' };
const mysql = { database: 'orders', kind: 'mysql' } as const;
const postgres = { database: 'ledger', kind: 'postgresql' } as const;

let clock = Date.UTC(2027, 0, 1);
let host: Provider;
let service: ManagedDbShape;

const run = <A>(effect: Effect.Effect<A, ProviderFailed>) => Effect.runPromise(effect);
const failureOf = async (effect: Effect.Effect<unknown, ProviderFailed>): Promise<ProviderFailed> => {
  const result = await Effect.runPromise(Effect.result(effect));
  if (Result.isSuccess(result)) throw new Error('it did not fail');
  return result.failure;
};

plain.before.each(async () => {
  if (noContract !== null) return;
  host = await startProvider(() => clock);
  service = httpManagedDb({ baseUrl: host.url, timeoutMs: 300 });
});
plain.after.each(() => {
  if (noContract !== null) return;
  host.stop();
  assert.equal(host.violations, []);
});

const made = async (name: string, kind: 'mysql' | 'postgresql', clusterSize = '') => {
  await run(service.create(account, { name, kind, clusterSize }));
  clock += 10_000;
};

spec(
  'DB-088 DB-089 DB-096 SEC-025 a database is created with its kind and is ready when its main branch is',
  async () => {
    assert.is(await run(service.find(account, 'orders')), null);
    await run(service.create(account, { name: 'orders', kind: 'mysql', clusterSize: 'PS_20' }));
    assert.equal(await run(service.find(account, 'orders')), { kind: 'mysql', ready: false });
    clock += 10_000;
    assert.equal(await run(service.find(account, 'orders')), { kind: 'mysql', ready: true });
    assert.is(host.state.find('acme', 'orders')?.size, 'PS_20');
    assert.equal(host.requests, [
      'GET /acme/databases/orders',
      'POST /acme/databases',
      'GET /acme/databases/orders',
      'GET /acme/databases/orders',
      'GET /acme/databases/orders/branches/main',
    ]);
  },
);

spec('DB-033 a managed Postgres database gets the first offered size when none is set', async () => {
  await made('ledger', 'postgresql');
  assert.is(host.state.find('acme', 'ledger')?.size, 'PG_10');
});

spec('DB-168 the provider lists its sizes for an engine', async () => {
  const sizes = await run(service.sizes(account, 'mysql'));
  assert.equal(
    sizes.map(({ name }) => name),
    ['PS_10', 'PS_20', 'PS_40'],
  );
  assert.is(sizes[0]?.memoryBytes, 1_073_741_824);
});

spec(
  'DB-097 SEC-025 a login of MySQL is a password of the main branch, shown once, found by name and revoked',
  async () => {
    await made('orders', 'mysql');
    const login = await run(service.issue(account, mysql, 'core-orders-1'));
    assert.is(login.host, 'orders.managed-db.local');
    assert.ok(login.username.length > 0 && login.password.length > 20);
    assert.is(login.database, null);
    assert.is(await run(service.hasLogin(account, mysql, 'core-orders-1')), true);
    assert.is(await run(service.hasLogin(account, mysql, 'core-orders')), false);
    await run(service.revoke(account, mysql, 'core-orders-1'));
    assert.is(await run(service.hasLogin(account, mysql, 'core-orders-1')), false);
    await run(service.revoke(account, mysql, 'core-orders-1'));
  },
);

spec('DB-098 a login of Postgres is a role that inherits postgres', async () => {
  await made('ledger', 'postgresql');
  const login = await run(service.issue(account, postgres, 'core-ledger-1'));
  assert.is(login.database, 'postgres');
  assert.equal(host.state.find('acme', 'ledger')?.logins[0]?.inherits, ['postgres']);
  await run(service.revoke(account, postgres, 'core-ledger-1'));
  assert.equal(host.state.find('acme', 'ledger')?.logins, []);
});

spec('a login is found on any page, and all of its name are revoked', async () => {
  await made('orders', 'mysql');
  for (let at = 0; at < 102; at++) await run(service.issue(account, mysql, at < 100 ? `other-${at}` : 'twice'));
  assert.is(await run(service.hasLogin(account, mysql, 'twice')), true);
  await run(service.revoke(account, mysql, 'twice'));
  assert.is(host.state.find('acme', 'orders')?.logins.length, 100);
});

spec('a name of a database or login cannot change the path of a request', async () => {
  assert.is(await run(service.find(account, '../../other/databases/x')), null);
  assert.equal(host.requests, ['GET /acme/databases/..%2F..%2Fother%2Fdatabases%2Fx']);
  assert.is((await failureOf(service.find(account, '..'))).status, 400);
  assert.is(host.requests.length, 1);
});

spec(
  'refusals carry their status; only 400, 401, 403 and 422 are permanent, and only 404 and similar ones count',
  async () => {
    const said = async (status: number) => {
      host.fail({ status });
      const failure = await failureOf(service.find(account, 'orders'));
      return [failure.status, failure.message, providerRetry(failure)];
    };
    assert.equal(await said(401), [401, '401 Unauthorized', 'permanent']);
    assert.equal(await said(403), [403, '403 Forbidden', 'permanent']);
    assert.equal(await said(422), [422, '422 Unprocessable Entity', 'permanent']);
    assert.equal(await said(400), [400, '400 Bad Request', 'permanent']);
    assert.equal(await said(410), [410, '410 Gone', 'counted']);
    assert.equal(await said(409), [409, '409 Conflict', 'waiting']);
    assert.equal(await said(503), [503, 'it answered 503 Service Unavailable', 'waiting']);
    const taken = await failureOf(
      Effect.andThen(
        service.create(account, { name: 'a', kind: 'mysql', clusterSize: 'PS_10' }),
        service.create(account, { name: 'a', kind: 'mysql', clusterSize: 'PS_10' }),
      ),
    );
    assert.is(taken.status, 422);
  },
);

spec('a timeout, a reset or an invalid answer of the provider is waited for without revealing the token', async () => {
  const said = async (fault: ProviderFault) => {
    host.fail(fault);
    const failure = await failureOf(service.find(account, 'orders'));
    assert.is(providerRetry(failure), 'waiting');
    assert.not.match(JSON.stringify(failure), /s3cret/);
    return failure.message;
  };
  assert.is(await said('silence'), 'no answer within 0.3 s');
  assert.match(await said('reset'), /other side closed|socket|ECONNRESET/);
  assert.is(await said({ status: 200, body: '{"ready":"yes"}' }), 'its answer is not what was asked for');
  assert.is(await said({ status: 200, body: '<html>' }), 'its answer is not what was asked for');
});

spec('a token sends no request before its rate limit ends', async () => {
  host.fail({ status: 429, headers: { 'retry-after': '300' } });
  const failure = await failureOf(service.find(account, 'orders'));
  assert.is(failure.status, 429);
  assert.ok((failure.until ?? 0) > Date.now() + 290_000);
  const again = await failureOf(service.sizes(account, 'mysql'));
  assert.is(again.until, failure.until);
  assert.is(host.requests.length, 1);
  assert.is(await run(service.find({ ...account, token: 'other:token' }, 'orders')), null);
});

spec('a token that no header can contain is refused, and no request is sent without an address', async () => {
  const failure = await failureOf(service.find({ ...account, token: 'id:\nx' }, 'orders'));
  assert.is(failure.status, 401);
  assert.equal(host.requests, []);
  const unset = httpManagedDb({ baseUrl: null, timeoutMs: 300 });
  assert.match((await failureOf(unset.find(account, 'orders'))).message, /CORE_MANAGED_DB_URL/);
});

plain.run();
