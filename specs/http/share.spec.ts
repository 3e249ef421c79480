import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { User } from '../../http/auth/directory.ts';
import type { Hasher } from '../../http/auth/hasher.ts';
import { makeTurns } from '../../http/auth/turns.ts';
import { givesWay } from '../../rules/share.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { password, passwordHash, quickHasher, serve } from './served.ts';

const spec = suite('fair share of clients');

interface One {
  readonly peer: string;
  readonly address: string;
  readonly number: number;
}
const some = (count: number, peer: string, address = peer): One[] =>
  Array.from({ length: count }, (_, number) => ({ peer, address, number }));

spec('a client over its share is displaced, measured by peer before address', () => {
  const asking = { peer: '10.0.0.2', address: '10.0.0.2' };
  assert.is(givesWay(some(32, '10.0.0.1'), asking)?.number, 31, 'the last request');
  assert.is(givesWay(some(1, '10.0.0.1'), asking), null);
  assert.is(givesWay([...some(16, '10.0.0.1'), ...some(16, '10.0.0.2')], asking), null);
  // A peer that invents a client for each request gets no more than its own share.
  const madeUp = some(32, '10.0.0.1').map((one) => ({ ...one, address: `203.0.113.${one.number}` }));
  assert.is(givesWay(madeUp, asking)?.peer, '10.0.0.1');
  assert.is(givesWay(madeUp, { peer: '10.0.0.1', address: '198.51.100.1' }), null, 'of the same peer each has one');
  const ofProxy = [...some(30, '10.0.0.1', '203.0.113.1'), ...some(2, '10.0.0.1', '203.0.113.2')];
  assert.is(givesWay(ofProxy, { peer: '10.0.0.1', address: '203.0.113.3' })?.address, '203.0.113.1');
});

spec('each client gets its turn, however many requests another client sent', () => {
  const turns = makeTurns<One>(32);
  for (const one of some(32, '10.0.0.1')) assert.is(turns.add(one), null);
  const honest = { peer: '10.0.0.2', address: '10.0.0.2', number: 0 };
  assert.is(turns.add(honest)?.number, 31, 'the last request of the other client is displaced');
  assert.is(turns.next()?.peer, '10.0.0.1');
  assert.is(turns.next(), honest, 'the second that is served');
});

const origin = fc.record({
  peer: fc.constantFrom('a', 'b', 'c'),
  address: fc.constantFrom('x', 'y', 'z'),
  number: fc.nat(),
});

spec('waiting requests are bounded, none is lost, and each peer is served once before a second time', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 3, arbitrary: origin }, fc.constant(null)), { maxLength: 80 }), (steps) => {
      const turns = makeTurns<One>(8);
      const waiting = new Set<One>();
      for (const step of steps) {
        const taken = step === null ? turns.next() : turns.add(step);
        if (step !== null) waiting.add(step);
        if (taken) assert.ok(waiting.delete(taken), 'it waited');
        assert.ok(waiting.size <= 8);
      }
      const peers = new Set([...waiting].map(({ peer }) => peer));
      const served: string[] = [];
      for (let next = turns.next(); next; next = turns.next()) {
        assert.ok(waiting.delete(next));
        served.push(next.peer);
      }
      assert.is(waiting.size, 0);
      assert.is(new Set(served.slice(0, peers.size)).size, peers.size);
    }),
  );
});

spec('forty failing sign-ins from one private address do not block another address', async () => {
  const hasher = quickHasher();
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const slow: Hasher = { ...hasher, matches: async (...given) => held.then(() => hasher.matches(...given)) };
  const viewer: User = { role: 'viewer', password: passwordHash, epoch: 0 };
  const served = await serve({}, { viewer }, (same) => same, slow);
  const order: string[] = [];
  const login = async (username: string, from: string) => {
    const { status } = await served.askPlain('/api/v1/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ username, password: username === 'viewer' ? password : 'wrong' }),
    });
    order.push(`${username} ${status}`);
    return status;
  };
  const bad = Array.from({ length: 40 }, (_, index) => login(`nobody-${index}`, '10.1.1.1'));
  // One is being checked and 32 wait, so that the others are told to come again.
  await until(() => order.length === 7, 'all forty are waiting or displaced');
  const right = [login('viewer', '203.0.113.9'), login('viewer', '203.0.113.10')];
  await until(() => order.length === 9, 'two of them are displaced');
  goOn();
  assert.equal(await Promise.all(right), [200, 200]);
  const before = order.slice(0, order.lastIndexOf('viewer 200')).filter((one) => one.endsWith('401'));
  assert.ok(before.length <= 8, `${before.length} were checked before`);
  await Promise.allSettled(bad);
  await served.stop();
});
spec.run();
