import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { clientsBehind, isLoopbackHost, isRange } from '../../http/auth/address.ts';
import { settingsOf } from '../../http/program/settings.ts';
import type { Directory, User } from '../../http/auth/directory.ts';
import { makeAddressLockouts } from '../../http/auth/lockout/address.ts';
import { tryName } from '../../http/auth/lockout/name.ts';
import type { FailureRecord } from '../../rules/nameLockout/facts.ts';
import type { FailureRecords } from '../../rules/nameLockout/records.ts';
import { suite } from '../support/suite.ts';

const lockout = suite('lockout');

const user: User = { role: 'viewer', password: 'x', epoch: 0 };
const among = (names: readonly string[], lockouts: FailureRecords = new Map()): Directory => ({
  sessionKey: null,
  keyDigest: '',
  unusable: new Map(),
  users: new Map(names.map((name) => [name, user])),
  lockouts,
});
const countedAddress = (peer: string | undefined, forwarded: string | undefined) =>
  clientsBehind()(peer, forwarded).limited;
const wrong = { username: 'viewer', isRight: false };

lockout(
  'AUT-049 AUT-084 AUT-085 a name is locked by five failures within a minute of the first and by no fewer',
  () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 30 }), (gaps) => {
        let records: FailureRecords = new Map();
        let now = 1_000_000;
        // A model of its own: the failures of the current window, and the end of the lock.
        let [first, count, until] = [Number.NEGATIVE_INFINITY, 0, 0];
        for (const gap of gaps) {
          now += gap;
          const isOpen = tryName(among(['viewer'], records), { ...wrong, isRight: true, now }).event === 'signedIn';
          assert.is(isOpen, now >= until);
          if (now >= until) {
            if (now - first >= 60_000 || count >= 5) [first, count] = [now, 0];
            if (++count === 5) until = now + 60_000;
          }
          records = tryName(among(['viewer'], records), { ...wrong, now }).records ?? records;
        }
      }),
    );
  },
);

lockout(
  'AUT-052 AUT-085 AUT-087 a sign-in leaves no record when the name is unknown or locked or the password is right',
  () => {
    const now = 1_000_000;
    const locked = new Map([['viewer', { since: now - 1_000, failures: 5, lockedUntil: now + 1 }]]);
    const event = (directory: Directory, isRight: boolean) => tryName(directory, { username: 'viewer', isRight, now });
    assert.equal(event(among([]), true), { event: 'unknownNameTried', records: null });
    assert.equal(event(among(['viewer'], locked), true), { event: 'triedWhileLocked', records: null });
    assert.equal(event(among(['viewer']), true), { event: 'signedIn', records: null });
  },
);

lockout('AUT-053 AUT-086 a record is removed by the next write when its minute and its lock are over', () => {
  const now = 1_000_000;
  const spent = { since: now - 61_000, failures: 5, lockedUntil: now };
  const before = new Map([
    ['viewer', spent],
    ['ci', spent],
    ['operator', { since: now - 59_000, failures: 5, lockedUntil: now + 1_000 }],
  ]);
  const { event, records } = tryName(among(['viewer', 'ci', 'operator'], before), { ...wrong, now });
  assert.is(event, 'failedFirst');
  assert.equal(Object.fromEntries(records ?? []), {
    viewer: { since: now, failures: 1, lockedUntil: 0 },
    operator: before.get('operator'),
  });
});

lockout('AUT-054 at most 256 records are kept, and the oldest unlocked one is evicted', () => {
  const now = 10_000_000;
  const locked = { since: now - 59_000, failures: 5, lockedUntil: now + 1_000 };
  const many = Array.from({ length: 255 }, (_, index): [string, FailureRecord] => [
    `u${index}`,
    { since: now - 256 + index, failures: 1, lockedUntil: 0 },
  ]);
  const full = new Map([['locked', locked], ...many]);
  const kept = tryName(among(['viewer'], full), { ...wrong, now }).records;
  assert.is(kept?.size, 256);
  assert.ok(kept?.has('locked') && kept.has('viewer') && kept.has('u1'));
  assert.not(kept?.has('u0'));
  const allLocked = new Map([...full.keys()].map((name, index) => [name, { ...locked, since: now - 256 + index }]));
  const bounded = tryName(among(['viewer'], allLocked), { ...wrong, now }).records;
  assert.is(bounded?.size, 256);
  assert.not(bounded?.has('locked'), 'the oldest, where all are locked');
});

lockout('AUT-055 AUT-056 AUT-088 AUT-089 an address is refused for a minute after twenty failures in a minute', () => {
  let now = 1_000_000;
  const addresses = makeAddressLockouts(() => now);
  const fail = (address: string | null, times: number) => {
    for (let time = 0; time < times; time++) addresses.failed(address);
  };
  fail('9.9.9.9', 19);
  assert.not(addresses.isRefused('9.9.9.9'));
  now += 59_999;
  fail('9.9.9.9', 1);
  assert.ok(addresses.isRefused('9.9.9.9'));
  assert.not(addresses.isRefused('9.9.9.8'));
  now += 59_999;
  assert.ok(addresses.isRefused('9.9.9.9'));
  now += 1;
  assert.not(addresses.isRefused('9.9.9.9'));
  fail('9.9.9.9', 19);
  now += 60_000;
  fail('9.9.9.9', 1);
  assert.not(addresses.isRefused('9.9.9.9'), 'a new minute began');
  fail(null, 100);
  assert.not(addresses.isRefused(null), 'AUT-090');
  fail('8.8.8.8', 20);
  assert.not(makeAddressLockouts(() => now).isRefused('8.8.8.8'), 'a restart forgets');
});

lockout('AUT-086 AUT-049 a name is locked for at most a minute when the clock is set back', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 ** 9 }),
      fc.constantFrom(Number.POSITIVE_INFINITY, 10 ** 9, 60_001),
      (set, far) => {
        const now = 10 ** 10;
        for (const lockedUntil of [now + set + 60_000, now + 60_000 + far]) {
          const locked = new Map([['viewer', { since: now + set, failures: 5, lockedUntil }]]);
          const right = { ...wrong, isRight: true };
          const first = tryName(among(['viewer'], locked), { ...right, now });
          assert.is(first.event, 'triedWhileLocked');
          const kept = first.records ?? new Map();
          assert.is(tryName(among(['viewer'], kept), { ...right, now: now + 59_999 }).event, 'triedWhileLocked');
          assert.is(tryName(among(['viewer'], kept), { ...right, now: now + 60_000 }).event, 'signedIn');
        }
        const counted = new Map([['viewer', { since: now + set, failures: 4, lockedUntil: 0 }]]);
        const again = tryName(among(['viewer'], counted), { ...wrong, now }).records?.get('viewer');
        assert.is(again?.lockedUntil, now + 60_000, 'the failures of before count for a minute from now');
      },
    ),
  );
});

lockout('AUT-089 an address is refused for at most a minute when the clock is set back', () => {
  let now = 10 ** 10;
  const addresses = makeAddressLockouts(() => now);
  for (let time = 0; time < 20; time++) addresses.failed('9.9.9.9');
  now -= 86_400_000;
  assert.ok(addresses.isRefused('9.9.9.9'));
  now += 59_999;
  assert.ok(addresses.isRefused('9.9.9.9'));
  now += 1;
  assert.not.ok(addresses.isRefused('9.9.9.9'));
});

lockout('AUT-057 AUT-058 AUT-090 IPv6 counts by /64, and shared addresses are never limited', () => {
  for (const near of [
    '10.1.2.3',
    '172.16.0.1',
    '172.31.9.9',
    '192.168.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '100.64.0.1',
    '100.127.255.255',
    '::1',
    'fd00::1',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
  ])
    assert.is(countedAddress(near, undefined), null, near);
  for (const far of ['172.32.0.1', '100.128.0.1', '11.0.0.1', '8.8.8.8'])
    assert.is(countedAddress(far, undefined), far);
  assert.is(countedAddress('::ffff:8.8.8.8', undefined), '8.8.8.8');
  assert.is(countedAddress('2001:db8:0:7::1', undefined), countedAddress('2001:0db8:0:0007:ffff:1:2:3', undefined));
  assert.is.not(countedAddress('2001:db8:0:7::1', undefined), countedAddress('2001:db8:0:8::1', undefined));
  assert.is(countedAddress('2001::', undefined), '2001:0:0:0::/64');
});

lockout('a forwarded address counts only from a near peer, the rightmost public one first', () => {
  assert.is(countedAddress('8.8.8.8', '9.9.9.9'), '8.8.8.8');
  assert.is(countedAddress('127.0.0.1', '1.1.1.1, 9.9.9.9, 10.0.0.2'), '9.9.9.9');
  assert.is(countedAddress('10.0.0.1', 'garbage, 10.0.0.2'), null);
  assert.is(countedAddress('10.0.0.1', 'unknown'), null);
  assert.is(countedAddress(undefined, '9.9.9.9'), null);
});

lockout('a forwarded address is ignored when its peer is not a trusted proxy', () => {
  const clientOf = clientsBehind(['10.0.0.5', '2001:db8:1::/48', '203.0.113.0/24']);
  const told = (peer: string, forwarded?: string) => {
    const { address, limited } = clientOf(peer, forwarded);
    return [address, limited];
  };
  assert.equal(told('10.0.0.5', '9.9.9.9'), ['9.9.9.9', '9.9.9.9']);
  assert.equal(told('203.0.113.7', '9.9.9.9, 10.0.0.5'), ['9.9.9.9', '9.9.9.9'], 'behind two of them');
  assert.equal(told('2001:db8:1::7', '9.9.9.9'), ['9.9.9.9', '9.9.9.9']);
  assert.equal(told('10.0.0.6', '9.9.9.9'), ['10.0.0.6', null], 'a private peer that is none of them');
  assert.equal(told('127.0.0.1', '9.9.9.9'), ['127.0.0.1', null]);
  assert.equal(told('8.8.8.8', '9.9.9.9'), ['8.8.8.8', '8.8.8.8']);
  assert.equal(told('10.0.0.5', '9.9.9.9, 10.0.0.77'), ['10.0.0.77', null], 'what a private client has made up');
  assert.equal(told('10.0.0.5'), ['10.0.0.5', null]);
  const anywhere = clientsBehind();
  assert.is(anywhere('10.0.0.5', '10.9.9.9, 10.0.0.6').address, '10.9.9.9', 'a private client behind two proxies');
  assert.is(anywhere('10.0.0.5', '10.9.9.9').limited, null);
  assert.equal(clientsBehind([])('127.0.0.1', '9.9.9.9').address, '127.0.0.1');
  for (const range of ['10.0.0.0/8', '::1', 'fc00::/7', '10.0.0.1/0']) assert.ok(isRange(range), range);
  for (const range of ['', '10.0.0.0/33', '10.0.0/8', '::/129', 'a', '10.0.0.0/8/8', '10.0.0.0/-1'])
    assert.not.ok(isRange(range), range);
});

lockout('CORE_TRUSTED_PROXIES is `none` or a list of addresses and ranges (decision 30)', () => {
  const set = (text: string) => settingsOf([], { CORE_TRUSTED_PROXIES: text }).trustedProxies;
  assert.equal(set('10.0.0.5, fd00::/8'), ['10.0.0.5', 'fd00::/8']);
  assert.equal([set('none'), set('')], [[], undefined]);
  for (const text of ['10.0.0.0/8,', 'localhost', '10.0.0.0/40']) assert.throws(() => set(text), /trusted-proxies/);
});

lockout('AUT-015 an address is loopback only when it is of this machine', () => {
  for (const host of ['localhost', 'LOCALHOST:8085', '127.0.0.1:1', '127.1.2.3', '[::1]:8085'])
    assert.ok(isLoopbackHost(host), host);
  for (const host of ['localhost.example', '127.0.0.1.example', 'core.example', '[::2]', undefined])
    assert.not.ok(isLoopbackHost(host));
});
lockout.run();
