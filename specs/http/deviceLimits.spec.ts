import * as assert from 'uvu/assert';
import type { DeviceStart } from '../../http/api.ts';
import { drawUserCode } from '../../http/auth/device/codes.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { type DeviceClient, deviceClient, error } from './deviceClient.ts';
import { serve, type Served } from './served.ts';

const spec = suite('limits of device sign-in');
let served: Served;
let client: DeviceClient;
spec.before.each(async () => {
  served = await serve();
  await until(() => served.operator.isLeading(), 'the replica is leader');
  client = deviceClient(served);
});
spec.after.each(() => served.stop());

const second = 1_000;
const minute = 60 * second;
const json = { 'content-type': 'application/json' };

spec('DEV-002 the letters of a code are uniformly distributed', () => {
  const counts = new Map<string, number>();
  let byte = 0;
  // Every byte value, equally often.
  const evenly = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => byte++ % 256));
  for (let code = 0; code < 3_000; code++)
    for (const letter of drawUserCode(evenly)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  assert.is(counts.size, 20);
  const [least, most] = [Math.min(...counts.values()), Math.max(...counts.values())];
  assert.ok(most - least < 30, `${least} to ${most}`);
});

spec('DEV-017 DEV-025 DEV-030 a client that polls too fast gets slow_down with 5 s added each time', async () => {
  const { device_code: device } = await client.started();
  const after = async (ms: number) => {
    served.clock.ahead += ms;
    return ((await client.told(device))[1] as { readonly error: string }).error;
  };
  const slow = second / 2;
  assert.is(await after(0), 'authorization_pending');
  assert.is(await after(5 * second), 'authorization_pending');
  assert.is(await after(5 * second - slow), 'slow_down');
  assert.is(await after(10 * second - slow), 'slow_down');
  assert.is(await after(15 * second - slow), 'slow_down');
  assert.is(await after(20 * second), 'authorization_pending');
});

spec('DEV-013 DEV-026 DEV-032 a request expires after 10 minutes and is forgotten after 20', async () => {
  const { user_code: code, device_code: device } = await client.started();
  served.clock.ahead = 10 * minute - second;
  assert.equal(await client.told(device), error('authorization_pending'));
  served.clock.ahead = 10 * minute;
  assert.equal(await client.told(device), error('expired_token'));
  assert.is((await client.review(code)).state, 'expired');
  assert.is((await client.approve(code)).status, 409);
  served.clock.ahead = 20 * minute;
  assert.equal(await client.told(device), error('expired_token'));
  assert.is((await client.approve(code)).status, 404);
});

spec('DEV-013 DEV-026 a request still expires after ten minutes when the clock is set back', async () => {
  served.clock.ahead = 24 * 60 * minute;
  const { user_code: code, device_code: device } = await client.started();
  assert.equal(await client.told(device), error('authorization_pending'));
  served.clock.ahead = 0;
  assert.equal(await client.told(device), error('slow_down'), 'the pause between polls starts from its initial value');
  served.clock.ahead = 10 * second;
  assert.equal(await client.told(device), error('authorization_pending'), 'and is as long as ever');
  served.clock.ahead = 10 * minute;
  assert.equal(await client.told(device), error('expired_token'));
  assert.is((await client.approve(code)).status, 409);
});

spec('DEV-034 an approved request that is not collected expires and leaves no token', async () => {
  const { user_code: code, device_code: device } = await client.started();
  served.clock.ahead = 9 * minute;
  await client.approve(code);
  served.clock.ahead = 10 * minute;
  assert.equal(await client.told(device), error('expired_token'));
  assert.equal(await client.tokens(), []);
});

spec('DEV-005 DEV-021 an address may start 10 requests per minute', async () => {
  const from = { 'x-forwarded-for': '203.0.113.7' };
  for (let time = 0; time < 10; time++) assert.is((await client.begin({}, from)).status, 200);
  const { status, json: body } = await client.begin({}, from);
  assert.equal([status, body()], [429, { error: 'slow_down' }]);
  assert.is((await client.begin({}, { 'x-forwarded-for': '203.0.113.8' })).status, 200);
  assert.is((await client.begin({}, { 'x-forwarded-for': '203.0.113.7, 10.0.0.1' })).status, 429, 'behind two proxies');
  served.clock.ahead = minute;
  assert.is((await client.begin({}, from)).status, 200);
});

spec('DEV-005 clients of one private address or one IPv6 network are counted together', async () => {
  const statuses = async (headers: Readonly<Record<string, string>>, times: number) =>
    (await Promise.all(Array.from({ length: times }, () => client.begin({}, headers)))).map(({ status }) => status);
  const inside = await statuses({ 'x-forwarded-for': '' }, 12);
  assert.equal([inside.filter((status) => status === 200).length, inside.at(-1)], [10, 429]);
  await statuses({ 'x-forwarded-for': '2001:db8:0:1::1' }, 10);
  assert.is((await client.begin({}, { 'x-forwarded-for': '2001:db8:0:1::2' })).status, 429);
  assert.is((await client.begin({}, { 'x-forwarded-for': '2001:db8:0:2::1' })).status, 200);
});

spec('DEV-004 DEV-021 at most 100 requests are pending, and a decided or expired one frees a place', async () => {
  const [first] = await Promise.all(Array.from({ length: 100 }, () => client.started()));
  const { status, json: body } = await client.begin();
  assert.equal([status, body()], [429, { error: 'temporarily_unavailable' }]);
  await client.deny(first?.user_code ?? '');
  assert.is((await client.begin()).status, 200);
  assert.is((await client.begin()).status, 429);
  served.clock.ahead = 10 * minute;
  assert.is((await client.begin()).status, 200);
});

spec('DEV-004 pending requests of a client over its share are evicted for those of other clients', async () => {
  const of = (address: string) => ({ 'x-forwarded-for': address });
  const greedy: DeviceStart[] = [];
  const ask = async () => (await client.begin({}, of('203.0.113.7'))).json() as DeviceStart;
  for (; greedy.length < 99; greedy.push(await ask())) served.clock.ahead = Math.floor(greedy.length / 10) * minute;
  const honest = (await client.begin({}, of('203.0.113.8'))).json() as DeviceStart;
  const others = await Promise.all(Array.from({ length: 5 }, () => client.begin()));
  assert.equal(
    others.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  assert.is((await client.begin({}, of('203.0.113.7'))).status, 429, 'and it gets none of theirs');
  assert.equal(await client.told(honest.device_code), error('authorization_pending'));
  const states = await Promise.all(greedy.map(async ({ device_code: code }) => (await client.told(code))[1]));
  const over = states.filter((told) => (told as { readonly error: string }).error === 'expired_token');
  assert.is(over.length, 5, 'one for each: never more than 100 wait');
});

spec('a client name that cannot be displayed is refused', async () => {
  for (const name of ['x'.repeat(101), 'a\u0007b', 'a\nb', 'a\u202eb', '   ']) {
    const { status, json: body } = await client.begin({ client_name: name });
    assert.equal([status, body()], error('invalid_request'), JSON.stringify(name));
  }
  for (const name of [7, ['laptop']])
    assert.equal((await client.begin({ client_name: name })).json(), { error: 'invalid_request' });
  const long = await client.started({ client_name: '山'.repeat(100) });
  await client.approve(long.user_code);
  await client.poll(long.device_code);
  assert.is((await client.tokens())[0]?.name, '山'.repeat(64), 'a token has a shorter name');
  assert.is((await client.begin({}, { host: 'evil"host' })).status, 400);
  const behind = (await client.begin({}, { host: 'core.example', 'x-forwarded-proto': 'https' })).json() as DeviceStart;
  assert.is(behind.verification_uri, 'https://core.example/device');
});

spec('DEV-011 a poll without a code or with another grant type is refused', async () => {
  const { device_code: device } = await client.started();
  const ask = async (body: object) => {
    const sent = { method: 'POST', headers: json, body: JSON.stringify(body) };
    const { status, json: answered } = await served.askPlain('/api/v1/auth/token', sent);
    return [status, answered()];
  };
  for (const body of [{}, { device_code: '' }, { device_code: 7 }, { device_code: [device] }])
    assert.equal(await ask(body), error('invalid_request'));
  assert.equal(await ask({ device_code: device, grant_type: 'password' }), error('unsupported_grant_type'));
  assert.equal(await ask({ device_code: device.slice(0, -1) }), error('expired_token'));
  assert.equal(await ask({ device_code: device }), error('authorization_pending'));
});
spec('DEV-001 DEV-011 unknown parameters are ignored, and a repeated one is refused', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const others = { client_id: 'cli', scope: ['a'], audience: 7, constructor: 'x' };
  assert.is((await client.begin({ client_name: 'laptop', ...others })).status, 200);
  const { device_code: device } = await client.started();
  const sent = async (headers: Readonly<Record<string, string>>, body: string, path = 'token') => {
    const { status, json: answered } = await served.askPlain(`/api/v1/auth/${path}`, { method: 'POST', headers, body });
    return [status, answered()];
  };
  assert.equal(await sent(json, JSON.stringify({ device_code: device, ...others })), error('authorization_pending'));
  assert.equal(await sent(form, `device_code=x&resource=a&client_secret=`), error('expired_token'));
  const twice = [
    [form, `device_code=${device}&device_code=${device}`],
    [form, `device_code=${device}&strange=1&strange=2`],
    [json, `{"device_code":"${device}","device_code":"${device}"}`],
  ] as const;
  for (const [headers, body] of twice) assert.equal(await sent(headers, body), error('invalid_request'), body);
  for (const body of ['client_name=a&client_name=b', 'x=1&x=1'])
    assert.equal(await sent(form, body, 'device'), error('invalid_request'), body);
});

spec('DEV-001 DEV-011 every refusal has an error code of RFC 6749 or RFC 8628', async () => {
  const bad = [
    { method: 'POST', headers: json, body: '{' },
    { method: 'POST', headers: json, body: '[]' },
    { method: 'POST', headers: json, body: '"x"' },
    { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' },
    { method: 'POST', headers: { 'content-type': 'application/json; charset=utf-16' }, body: '{}' },
    { method: 'POST', headers: json, body: Buffer.from([0x22, 0xff, 0x22]).toString('latin1') },
  ];
  for (const path of ['/api/auth/device', '/api/v1/auth/token']) {
    for (const asked of bad) {
      const { status, json: answered } = await served.askPlain(path, asked);
      assert.equal([status, answered()], error('invalid_request'), `${path} ${asked.body}`);
    }
    const large = await served.askPlain(path, { method: 'POST', headers: json, body: `{"x":"${'x'.repeat(70_000)}"}` });
    assert.equal([large.status, large.json()], [413, { error: 'invalid_request' }]);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, text } = await served.askPlain(path, { method });
      assert.equal([status, text], [405, '{"error":"invalid_request"}'], `${method} ${path}`);
    }
    const odd = await served.ask(path, { method: 'POST', headers: { origin: 'https://evil.example' } });
    assert.equal([odd.status, odd.json()], [403, { error: 'invalid_request' }]);
  }
});
spec.run();
