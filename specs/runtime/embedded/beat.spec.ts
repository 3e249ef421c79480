import * as assert from 'uvu/assert';
import { createBeat } from '../../../runtime/embedded/api/verbs/beat.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the shared beat');

spec('one timer serves all subscribers of a beat and stops with the last subscriber', () => {
  const timers = new Set<() => void>();
  const told: string[] = [];
  const beat = createBeat(10_000, (ms, tell) => {
    assert.is(ms, 10_000);
    timers.add(tell);
    return () => timers.delete(tell);
  });
  const pass = () => {
    for (const tell of timers) tell();
    return told.splice(0);
  };
  const endFirst = beat(() => void told.push('first'));
  const endSecond = beat(() => {
    told.push('second');
    endFirst();
  });
  const endThird = beat(() => void told.push('third'));
  assert.is(timers.size, 1);
  assert.equal(pass(), ['first', 'second', 'third']);
  assert.equal(pass(), ['second', 'third'], 'whoever ended it is told no more');
  endSecond();
  assert.equal(pass(), ['third']);
  endThird();
  endThird();
  assert.is(timers.size, 0);
  beat(() => void told.push('next'));
  assert.equal(pass(), ['next'], 'and comes again with the next who asks');
});

spec.run();
