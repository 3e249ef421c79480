import * as assert from 'uvu/assert';
import { lastEndIn } from '../../rules/backup/changeLog.ts';
import { ended, other, segmentOf } from '../support/changeLog.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the change log of Postgres');
const [first, second] = [Date.UTC(2026, 10, 23, 12, 0, 0), Date.UTC(2026, 10, 23, 12, 5, 0, 250)];
const none = { is: 'none' };
const at = (ms: number) => ({ is: 'at', at: ms });
const unknown = { is: 'unknown' };

spec('BAK-008 the last transaction of a segment is found among other records, and on any page', () => {
  assert.equal(lastEndIn(segmentOf([])), none);
  assert.equal(lastEndIn(segmentOf([other(40), other(300)])), none);
  assert.equal(lastEndIn(segmentOf([ended(first), other(9_000), ended(second), other(1)])), at(second));
  assert.equal(lastEndIn(segmentOf([ended(second), other(9), ended(first)])), at(second), 'they end in any order');
  for (let bytes = 8_000; bytes < 8_200; bytes++)
    assert.equal(
      lastEndIn(segmentOf([other(bytes), ended(first)])),
      at(first),
      `over the end of a page, after ${bytes}`,
    );
});

spec('BAK-008 commits, aborts and both of what was prepared end a transaction, and nothing else does', () => {
  const kinds = Array.from({ length: 8 }, (_, index) => index << 4);
  const ends = kinds.filter((kind) => lastEndIn(segmentOf([ended(first, kind)])).is === 'at');
  assert.equal(ends, [0x00, 0x20, 0x30, 0x40]);
  assert.equal(lastEndIn(segmentOf([{ ...ended(first), manager: 0 }])), none);
  assert.equal(lastEndIn(segmentOf([ended(first, 0x80)])), at(first), 'with more about it');
  const origin = Buffer.from([253, 1, 0, 252, 9, 0, 0, 0]);
  assert.equal(lastEndIn(segmentOf([ended(first, 0x00, origin)])), at(first), 'with its origin');
});

spec(
  'BAK-008 what a segment shares with its neighbours: a rest is passed over, an end that is cut off is unknown',
  () => {
    assert.equal(lastEndIn(segmentOf([ended(first)], { rest: 100 })), at(first));
    assert.equal(lastEndIn(segmentOf([], { rest: 100_000 })), none, 'all of it is a rest');
    const room = 2 * 8_192 - 40 - 24;
    const heads = 40 + 29;
    const upTo = (bytes: number) => other(room - heads - bytes);
    assert.equal(lastEndIn(segmentOf([ended(first), upTo(24), ended(second)])), unknown);
    assert.equal(lastEndIn(segmentOf([ended(first), upTo(8), ended(second)])), unknown, 'not even its kind is there');
    assert.equal(lastEndIn(segmentOf([ended(first), upTo(24), other(500)])), at(first));
  },
);

spec('BAK-008 bytes that are no segment are unknown', () => {
  const segment = segmentOf([ended(first)]);
  for (const bytes of [Buffer.alloc(0), Buffer.from('x'), segment.subarray(0, 8_192), Buffer.alloc(16_384)])
    assert.equal(lastEndIn(bytes), unknown);
  const broken = Buffer.from(segment);
  broken.writeUInt8(77, 40 + 24);
  assert.equal(lastEndIn(broken), unknown, 'a header that no transaction has');
});

spec.run();
