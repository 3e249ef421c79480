import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { countedAddress, isLoopbackHost } from '../../http/auth/address.ts';
import type { Lockout } from '../../http/auth/directory.ts';
import { isLocked, keptRecords, withFailure } from '../../http/auth/lockout.ts';
import { suite } from '../support/suite.ts';

const lockout = suite('lockout');

lockout('AUT-049 AUT-083 AUT-084 five failures within a minute of the first lock, and no fewer', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 30 }), (gaps) => {
      let record: Lockout | undefined;
      let now = 1_000_000;
      // A memory of its own: the failures of the window that runs, and until when the name is locked.
      let [first, count, until] = [Number.NEGATIVE_INFINITY, 0, 0];
      for (const gap of gaps) {
        now += gap;
        if (now >= until) {
          if (now - first >= 60_000 || count >= 5) [first, count] = [now, 0];
          if (++count === 5) until = now + 60_000;
        }
        record = withFailure(record, now, 5);
        assert.is(isLocked(record, now), now < until);
      }
    }),
  );
});

lockout('AUT-053 AUT-054 at most 256 records are kept: spent ones go first, then the oldest that is not locked', () => {
  const now = 10_000_000;
  const open = (since: number): Lockout => ({ since, failures: 1, lockedUntil: 0 });
  const locked: Lockout = { since: now - 59_000, failures: 5, lockedUntil: now + 1_000 };
  const many = new Map([
    ['spent', open(now - 60_000)],
    ['locked', locked],
    ...Array.from({ length: 256 }, (_, index) => [`u${index}`, open(now - 256 + index)] as [string, Lockout]),
  ]);
  const kept = keptRecords(many, now);
  assert.is(kept.size, 256);
  assert.ok(kept.has('locked'));
  assert.not.ok(kept.has('spent'));
  assert.not.ok(kept.has('u0'));
  assert.ok(kept.has('u1'));
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

lockout('forwarded addresses are believed only from a near peer, the rightmost public one first', () => {
  assert.is(countedAddress('8.8.8.8', '9.9.9.9'), '8.8.8.8');
  assert.is(countedAddress('127.0.0.1', '1.1.1.1, 9.9.9.9, 10.0.0.2'), '9.9.9.9');
  assert.is(countedAddress('10.0.0.1', 'garbage, 10.0.0.2'), null);
  assert.is(countedAddress('10.0.0.1', 'unknown'), null);
  assert.is(countedAddress(undefined, '9.9.9.9'), null);
});

lockout('AUT-015 only this very machine is loopback', () => {
  for (const host of ['localhost', 'LOCALHOST:8085', '127.0.0.1:1', '127.1.2.3', '[::1]:8085'])
    assert.ok(isLoopbackHost(host), host);
  for (const host of ['localhost.example', '127.0.0.1.example', 'core.example', '[::2]', undefined])
    assert.not.ok(isLoopbackHost(host));
});
lockout.run();
