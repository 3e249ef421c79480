import * as assert from 'uvu/assert';
import { lastEndIn, positionIn, positionText, segmentsOf } from '../../rules/backup/changeLog.ts';
import { begins, ended, other, segmentOf } from '../support/changeLog.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the change log of Postgres');
const [first, second] = [Date.UTC(2026, 10, 23, 12, 0, 0), Date.UTC(2026, 10, 23, 12, 5, 0, 250)];
const none = { is: 'none' };
const at = (ms: number) => ({ is: 'at', at: ms });
/** Without the position. */
const endIn = (segment: Uint8Array) => {
  const last = lastEndIn(segment);
  return last.is === 'at' ? at(last.at) : last;
};
const unknown = { is: 'unknown' };

spec('BAK-008 the last transaction of a segment is found among other records, and on any page', () => {
  assert.equal(endIn(segmentOf([])), none);
  assert.equal(endIn(segmentOf([other(40), other(300)])), none);
  assert.equal(endIn(segmentOf([ended(first), other(9_000), ended(second), other(1)])), at(second));
  assert.equal(endIn(segmentOf([ended(second), other(9), ended(first)])), at(second), 'they end in any order');
  for (let bytes = 8_000; bytes < 8_200; bytes++)
    assert.equal(endIn(segmentOf([other(bytes), ended(first)])), at(first), `over the end of a page, after ${bytes}`);
});

spec('BAK-008 only commits and aborts, also of prepared transactions, end a transaction', () => {
  const kinds = Array.from({ length: 8 }, (_, index) => index << 4);
  const ends = kinds.filter((kind) => endIn(segmentOf([ended(first, kind)])).is === 'at');
  assert.equal(ends, [0x00, 0x20, 0x30, 0x40]);
  assert.equal(endIn(segmentOf([{ ...ended(first), manager: 0 }])), none);
  assert.equal(endIn(segmentOf([ended(first, 0x80)])), at(first), 'with more about it');
  const origin = Buffer.from([253, 1, 0, 252, 9, 0, 0, 0]);
  assert.equal(endIn(segmentOf([ended(first, 0x00, origin)])), at(first), 'with its origin');
});

spec('BAK-008 a continued record is skipped at the start of a segment, and a cut one is unknown', () => {
  assert.equal(endIn(segmentOf([ended(first)], { rest: 100 })), at(first));
  assert.equal(endIn(segmentOf([], { rest: 100_000 })), none, 'all of it is a rest');
  const space = 2 * 8_192 - 40 - 24;
  const heads = 40 + 29;
  const upTo = (bytes: number) => other(space - heads - bytes);
  assert.equal(endIn(segmentOf([ended(first), upTo(24), ended(second)])), unknown);
  assert.equal(endIn(segmentOf([ended(first), upTo(8), ended(second)])), unknown, 'not even its kind is there');
  assert.equal(endIn(segmentOf([ended(first), upTo(24), other(500)])), at(first));
});

spec('BAK-008 bytes that are not a segment are unknown', () => {
  const segment = segmentOf([ended(first)]);
  for (const bytes of [Buffer.alloc(0), Buffer.from('x'), segment.subarray(0, 8_192), Buffer.alloc(16_384)])
    assert.equal(endIn(bytes), unknown);
  const broken = Buffer.from(segment);
  broken.writeUInt8(77, 40 + 24);
  assert.equal(endIn(broken), unknown, 'a header that no transaction has');
});

spec('BAK-008 the end of the last transaction is read over page headers', () => {
  const positionOf = (segment: Buffer) => {
    const last = lastEndIn(segment);
    return last.is === 'at' ? Number(last.position - begins) : null;
  };
  assert.is(positionOf(segmentOf([ended(first)])), 40);
  // The end of a transaction takes 34 bytes, and begins at a multiple of 8; a long one has a header of 29.
  assert.is(positionOf(segmentOf([ended(first), ended(second)])), 80);
  assert.is(positionOf(segmentOf([ended(second), ended(first)])), 80, 'the one that was written last');
  assert.is(positionOf(segmentOf([other(8_192 - 40 - 29), ended(first)])), 8_192 + 24);
  assert.is(positionOf(segmentOf([ended(first)], { rest: 100 })), 40 + 104);
  assert.is(positionText(begins + 0xabcn), '1/3000ABC');
  assert.is(positionIn('1/3000abc'), begins + 0xabcn);
  assert.equal(['', '1', '1/', 'x/1', '1/123456789', '0/0/0'].map(positionIn), [null, null, null, null, null, null]);
});

spec('BAK-008 segments are listed newest first as a recovery reads them, without those left by a promotion', () => {
  const key = (name: string) => ({ key: `shop/a/wals/0000000100000000/${name}` });
  const names = (...listed: readonly string[]) => segmentsOf(listed.map(key)).map((one) => one.key.split('/').at(-1));
  const segment = (timeline: number, place: number) => `0000000${timeline}00000000000000${place}0`;
  assert.equal(names(segment(1, 1), `${segment(1, 2)}.gz`), [`${segment(1, 2)}.gz`, segment(1, 1)]);
  assert.equal(
    names(segment(1, 1), segment(1, 2), segment(1, 3), segment(2, 2)),
    [segment(2, 2), segment(1, 1)],
    'the second server went on from the second segment',
  );
  assert.equal(names('00000002.history', `${segment(1, 1)}.00000028.backup`, `${segment(1, 2)}.partial`, 'x'), []);
});

spec.run();
