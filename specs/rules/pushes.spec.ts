import * as assert from 'uvu/assert';
import { isPushTaken, pushRecorded, type PushesKept } from '../../rules/build/pushes.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the pushes that a build accepted');
const delivered = (number: number) => ({ head: 'a', delivery: `d-${number}` });
const after = (count: number): PushesKept =>
  Array.from({ length: count }, (_, index) => index + 1).reduce<PushesKept>(
    (kept, number) => ({ ...kept, ...pushRecorded(kept, delivered(number)) }),
    { head: '', deliveries: [] },
  );

spec('a delivery is remembered until twenty later ones arrived', () => {
  assert.is(isPushTaken(after(20), delivered(1)), true);
  assert.is(isPushTaken(after(21), delivered(1)), false);
  assert.is(isPushTaken(after(21), delivered(2)), true);
  assert.equal(after(21).deliveries.at(-1), 'd-21');
});

spec.run();
