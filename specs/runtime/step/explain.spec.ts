import * as assert from 'uvu/assert';
import { explain } from '../../../runtime/step/explain.ts';
import { suite } from '../../support/suite.ts';
import { doing, makeHouse } from '../pass/toggle.ts';

const spec = suite('explain');

const explaining = (house: ReturnType<typeof makeHouse>, now: number, seenBefore = true) => {
  const [lifecycle] = house.controller.lifecycles;
  if (!lifecycle) throw new Error('no lifecycle');
  return explain({ controller: house.controller, lifecycle }, house.toggle(), {
    reader: house.context.reader,
    memory: seenBefore ? house.memory : undefined,
    now,
  });
};
const start = Date.UTC(2027, 0, 1);

spec('an explanation uses the last observed facts and the current time, without requests', async () => {
  const told = doing({ jams: false, key: { is: 'known', value: 'gone' } });
  const house = makeHouse(told);
  await house.look();
  assert.is(told.asked, 1);
  const explained = explaining(house, start + 60_000);
  assert.is(told.asked, 1);
  assert.is(explained.decision.is, 'nothing');
  assert.is(explained.now, '2027-01-01T00:01:00.000Z');
  assert.is(explained.observedAt, '2027-01-01T00:00:00.000Z');
  assert.equal(explained.facts['key'], { is: 'known', value: 'gone' });
  assert.equal(
    explained.tried.map(({ rule, held }) => `${rule} ${held}`),
    ['jam no', 'locked no', 'key no', 'open no'],
  );
});

spec('sentences with a time are formed anew for every reader', async () => {
  const house = makeHouse(doing({ locked: true }));
  await house.look();
  assert.is(explaining(house, start + 1).says.text, `locked at ${start + 1}`);
  assert.is(explaining(house, start + 2).says.text, `locked at ${start + 2}`);
  const { tried } = explaining(house, start);
  assert.equal(
    tried.map(({ rule, held }) => `${rule} ${held}`),
    ['jam no', 'locked yes', 'key not reached', 'open not reached'],
  );
});

spec('an explanation before the first pass names the facts that were not requested', () => {
  const told = doing();
  const explained = explaining(makeHouse(told), start, false);
  assert.is(explained.says.text, 'the next pass asks for: key');
  assert.equal(explained.facts['key'], { is: 'unasked' });
  assert.equal([explained.observedAt, told.asked, explained.since !== ''], [null, 0, true]);
});

spec('an unknown fact is shown with its reason', async () => {
  const house = makeHouse(doing({ key: { is: 'unknown', why: 'nobody answers' } }));
  await house.look();
  assert.is(explaining(house, start).says.text, 'key could not be read: nobody answers');
});

spec.run();
