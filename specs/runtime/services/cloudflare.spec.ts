import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { cloudflare } from '../../../runtime/services/dns/cloudflare.ts';
import { memoryProvider } from '../../support/memoryProvider.ts';
import { serveProvider } from '../../support/providerServer.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the DNS provider over its API');
const provider = memoryProvider();
const login = { apiToken: provider.token, accountId: 'account-1' };
let served: Awaited<ReturnType<typeof serveProvider>>;
let client: ReturnType<typeof cloudflare>;
spec.before(async () => {
  served = await serveProvider(provider);
  client = cloudflare(served.url);
});
spec.after(() => served.stop());
spec.after.each(() => {
  provider.refuses = () => null;
});

const run = Effect.runPromise;
const record = { type: 'A', name: 'core.example.org', content: '198.51.100.7', proxied: true, comment: 'core uid' };

spec('SEC-026 zones and records are read page by page, written and removed', async () => {
  provider.zonesSeen = Array.from({ length: 120 }, (_, at) => ({ id: `z${at}`, name: `zone${at}.org` }));
  const zones = await run(client.zones(login));
  assert.is(zones.is === 'found' && zones.value.length, 120);
  assert.is(served.paths.filter((path) => path === 'GET /client/v4/zones').length, 3);

  const made = await run(client.createRecord(login, 'z1', record));
  assert.ok(made.is === 'found' && made.value !== '');
  const again = await run(client.createRecord(login, 'z1', record));
  assert.is(again.is === 'refused' && again.code, 400);
  assert.match(again.is === 'refused' ? again.status : '', '81053');
  const found = await run(client.records(login, 'z1'));
  assert.equal(found.is === 'found' && found.value, [{ ...record, id: made.is === 'found' ? made.value : '' }]);
  const [one] = found.is === 'found' ? found.value : [];
  if (!one) throw new Error('no record');
  await run(client.changeRecord(login, 'z1', { ...one, content: '203.0.113.1' }));
  assert.is(provider.recordsOf.get('z1')?.[0]?.content, '203.0.113.1');
  await run(client.removeRecord(login, 'z1', one.id));
  assert.equal(provider.recordsOf.get('z1'), []);
});

spec('a tunnel is found, created and given routes; its token is read', async () => {
  assert.equal(await run(client.tunnels(login, 'core')), { is: 'found', value: [] });
  const made = await run(client.createTunnel(login, 'core'));
  const id = made.is === 'found' ? made.value : '';
  assert.equal(await run(client.tunnels(login, 'core')), { is: 'found', value: [{ id, connected: false }] });
  assert.equal(await run(client.tunnelToken(login, id)), { is: 'found', value: `token-of-${id}` });
  const routes = [{ hostname: 'a.example.org', service: 'http://a' }, { service: 'http_status:404' }];
  assert.is((await run(client.publishRoutes(login, id, routes))).is, 'found');
  assert.equal(provider.routesOf.get(id), routes);
});

spec('refusals, rate limits and failures are distinguished, and none contains the token', async () => {
  const refused = await run(client.zones({ ...login, apiToken: 'wrong-token' }));
  assert.is(refused.is === 'refused' && refused.code, 403);
  assert.not.match(JSON.stringify(refused), /wrong-token/);
  provider.refuses = () => ({ is: 'limited', until: 0 });
  const before = Date.now();
  const limited = await run(client.zones(login));
  assert.ok(limited.is === 'limited' && limited.until >= before + 30_000 && limited.until <= Date.now() + 30_000);
  provider.refuses = () => ({ is: 'silent', why: 'x' });
  assert.equal(await run(client.zones(login)), { is: 'silent', why: 'HTTP 500' });
  const nobody = await run(cloudflare('http://127.0.0.1:1').zones(login));
  assert.equal(nobody, { is: 'silent', why: 'ECONNREFUSED' });
});

spec.run();
