import * as assert from 'uvu/assert';
import { everything } from '../../../runtime/controllers/all.ts';
import { statesOf, takeArrow } from '../../../runtime/step/machine.ts';
import { tableOf } from '../../check/check.ts';
import { fromOf } from '../../tables/parse.ts';
import { suite } from '../../support/suite.ts';

const tabled = suite('lifecycles and their tables');

const { controllers } = everything({
  builder: { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' },
});
const lifecycles = controllers.flatMap((each) => each.lifecycles);

tabled('claims and warning states of each lifecycle are those of its table', () => {
  assert.ok(lifecycles.length > 0);
  for (const { name, claims, trouble } of lifecycles) {
    const { rows, ...table } = tableOf(name);
    const claiming = rows.filter(({ does: [first = ''] }) => first.startsWith('claim')).map(({ event }) => event);
    assert.equal(claims, [...new Set(claiming)], `${name} claims`);
    assert.equal(
      trouble,
      table.trouble.map(({ state }) => state),
      `${name} is in trouble`,
    );
  }
});

tabled('a claim keeps the state and starts nothing itself, and an action follows from that state', () => {
  for (const { name, machine, rows, claims, actions } of lifecycles) {
    const states = statesOf(machine);
    const acting = rows.filter(({ does }) => does.some((action) => actions[action]?.effect !== undefined));
    for (const row of rows.filter(({ event }) => claims.includes(event)))
      for (const from of fromOf(row, states)) {
        assert.is(takeArrow(machine, from, row.event)?.to, from, `${name}: ${row.id} in ${from}`);
        assert.not(acting.includes(row), `${name}: ${row.id} starts what it claims`);
        assert.ok(
          acting.some((other) => fromOf(other, states).includes(from)),
          `${name}: nothing follows ${row.id} in ${from}`,
        );
      }
  }
});

tabled.run();
