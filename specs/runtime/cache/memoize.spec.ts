import * as assert from 'uvu/assert';
import { memoize } from '../../../runtime/cache/memoize.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('memoize');

spec('a memoized answer is derived anew when an input changes, separately for each object', () => {
  const answers = memoize<number>();
  let derived = 0;
  const ask = (of: object, ...from: readonly unknown[]) => answers(of, from, () => ++derived);
  const [one, other] = [{}, {}];
  assert.equal([ask(one, 'a', 1), ask(one, 'a', 1)], [1, 1]);
  assert.equal([ask(one, 'a', 2), ask(one, 'b', 2)], [2, 3]);
  assert.is(ask(one, 'a', 1), 4, 'only the last answer is kept');
  assert.is(ask(other, 'a', 1), 5);
  assert.is(ask(one, 'a', 1), 4);
});

spec.run();
