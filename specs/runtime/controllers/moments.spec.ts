import * as assert from 'uvu/assert';
import { makeMoments } from '../../../runtime/controllers/moments.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('moments over a clock that is set');
const hour = 3_600_000;
const row = { name: 'files', id: 'row-1', writtenMs: 1_000_000 };

spec('KND-062: a moment moves with a clock that is set after it was seen', () => {
  const { by } = makeMoments();
  assert.is(by(row, { now: 1_000_000, monotonic: 50 }), 1_000_000);
  assert.is(by(row, { now: 1_000_010 + hour, monotonic: 60 }), 1_000_000 + hour);
  assert.is(by({ ...row, id: 'row-2' }, { now: 1_000_020, monotonic: 70 }), 1_000_000, 'another moment counts anew');
});

spec(
  'KND-062: one that was written after a pass without it is no older than that pass, however the clock was set',
  () => {
    const { by, none } = makeMoments();
    none('files', { monotonic: 40 });
    assert.is(by(row, { now: 1_000_010 + hour, monotonic: 60 }), 1_000_010 + hour - 20);
  },
);

spec.run();
