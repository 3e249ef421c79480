import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { nextCheckMs } from '../../rules/nextCheck.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the next check');

const at = '2027-01-01T00:00:00.000Z';
const announced = Date.parse(at);
const everyMs = 30_000;

spec('a check at an interval is followed by the next one when it has passed', () => {
  assert.is(nextCheckMs({ at, everyMs }, announced - 5_000), announced);
  assert.is(nextCheckMs({ at, everyMs }, announced), announced);
  assert.is(nextCheckMs({ at, everyMs }, announced + 1_000), announced + 30_000);
  assert.is(nextCheckMs({ at, everyMs }, announced + 95_000), announced + 120_000);
});

spec('a single check keeps its time when it is late', () => {
  assert.is(nextCheckMs({ at }, announced + 95_000), announced);
});

spec('the next check at an interval is at most one interval away and at most a second ago', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_001, max: 900_000 }), fc.integer({ min: 0, max: 10_000_000 }), (every, late) => {
      const leftMs = nextCheckMs({ at, everyMs: every }, announced + late) - announced - late;
      assert.ok(leftMs > -1_000 && leftMs <= every, `${leftMs}`);
      assert.is((leftMs + late) % every, 0);
    }),
  );
});

spec.run();
