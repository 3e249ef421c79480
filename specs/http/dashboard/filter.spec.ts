import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import {
  everything,
  type Filter,
  readFilter,
  readSeconds,
  sortKeys,
  writeFilter,
} from '../../../http/dashboard/model/filter.ts';
import { compareInstances, filteredInstance, shownBy } from '../../../http/dashboard/model/filtered.ts';
import { suite } from '../../support/suite.ts';
import { instance } from './instance.ts';

const filter = suite('list filter');

filter('an address selects states, retrying, stuck time and text', () => {
  assert.equal(readFilter('?state=Failed,Running&retrying=true&stuck=300&q=lint+x&sort=-name'), {
    states: ['Failed', 'Running'],
    retrying: true,
    stuckSeconds: 300,
    text: 'lint x',
    sort: 'name',
    reversed: true,
    own: {},
  });
  assert.equal(readFilter('?stuck=soon&sort=-colour&retrying=1&state='), everything);
  assert.is(writeFilter(everything), '');
  assert.is(writeFilter({ ...everything, states: ['Failed', 'Running'] }), '?state=Failed,Running');
});

filter('a written filter is read back unchanged', () => {
  const filters: fc.Arbitrary<Filter> = fc.record(
    {
      states: fc.array(fc.constantFrom('Pending', 'WaitingForCI', 'Odd & strange'), { maxLength: 3 }),
      retrying: fc.boolean(),
      stuckSeconds: fc.option(fc.integer({ min: 1, max: 10_000_000 })),
      text: fc.string(),
      sort: fc.constantFrom(...sortKeys),
      reversed: fc.boolean(),
      own: fc.record(
        { kind: fc.constantFrom('service', 'odd & strange') },
        { requiredKeys: [], noNullPrototype: true },
      ),
    },
    { noNullPrototype: true },
  );
  fc.assert(fc.property(filters, (given) => assert.equal(readFilter(writeFilter(given), ['kind']), given)));
});

filter('a stuck time is a number of seconds or has a unit', () => {
  assert.equal(['90', '5m', ' 2 H ', '1d', '30s'].map(readSeconds), [90, 300, 7200, 86_400, 30]);
  assert.equal(['', '0', '-5', '5 weeks', 'm', '1.5h', '99999999999'].map(readSeconds), Array(7).fill(null));
});

const now = Date.parse('2026-01-01T00:10:00.000Z');
const shows = (asked: Partial<Filter>, about: Parameters<typeof instance>[0]) =>
  shownBy({ ...everything, ...asked }, { now, resting: new Set(['Succeeded']) })(filteredInstance(instance(about)));

filter('a filter shows instances that match all of its parts', () => {
  assert.ok(shows({}, {}));
  assert.ok(shows({ states: ['Failed', 'Running'] }, {}));
  assert.not(shows({ states: ['Failed'] }, {}));
  assert.ok(shows({ retrying: true }, { retrying: true }));
  assert.not(shows({ retrying: true }, {}));
  assert.ok(shows({ text: 'MARKET job' }, {}));
  assert.not(shows({ text: 'market absent' }, {}));
  assert.not(shows({ states: ['Running'], retrying: true }, {}));
});

filter('an instance is stuck when it is longer than the time in a state that is not resting', () => {
  assert.ok(shows({ stuckSeconds: 599 }, {}));
  assert.not(shows({ stuckSeconds: 600 }, {}));
  assert.not(shows({ stuckSeconds: 60 }, { state: 'Succeeded' }));
});

filter('a list is sorted by newest, name or state, in either direction', () => {
  const list = [
    instance({ name: 'b', state: 'Failed', since: '2026-01-03T00:00:00Z' }),
    instance({ name: 'a', state: 'Running', since: '2026-01-02T00:00:00Z' }),
    instance({ name: 'c', state: 'Failed', since: '2026-01-02T00:00:00Z' }),
  ];
  const order = (asked: Partial<Filter>) =>
    [...list]
      .sort(compareInstances({ ...everything, ...asked }))
      .map(({ name }) => name)
      .join('');
  assert.is(order({}), 'bac');
  assert.is(order({ reversed: true }), 'acb');
  assert.is(order({ sort: 'name' }), 'abc');
  assert.is(order({ sort: 'state' }), 'bca');
});

filter.run();
