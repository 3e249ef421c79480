import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { build } from '../../../../machines/build.ts';
import type { BuildState } from '../../../../machines/names.ts';
import { tables } from '../../../../machines/tables.ts';
import { buildEvents } from '../../../../rules/build/events.ts';
import type { BuildFacts } from '../../../../rules/build/facts.ts';
import { byState, decide, requeueAfterMs } from '../../../../rules/engine.ts';
import { known, unasked, unknown } from '../../../../rules/fact.ts';
import { hasArrow } from '../../../../runtime/step/machine.ts';
import { arrowOf } from '../../../../runtime/step/step.ts';
import { suite } from '../../../support/suite.ts';
import { anyFacts, fine, states } from '../../../lifecycles/build/facts.ts';

const spec = suite('build rules');
const rules = byState(buildEvents);
const stepper = { machine: build, ...tables.build };
const settings = { numRuns: 6_000 };
const anyState = fc.constantFrom(...states);

spec('the rules of a build make one decision over any facts, with a text, and never throw', () => {
  fc.assert(
    fc.property(anyState, anyFacts, (state, facts) => {
      const decision = decide(rules, state, facts);
      if (decision.is === 'event') {
        assert.ok(hasArrow(build, state, decision.rule.then), `${state} ${decision.rule.then}`);
        assert.type(decision.rule.says(facts).text, 'string');
        const { look } = decision.rule;
        if (look) assert.ok(Number.isFinite(requeueAfterMs(look, facts, facts.now)));
      } else if (decision.is !== 'nothing')
        assert.is(facts[decision.fact].is, decision.is === 'ask' ? 'unasked' : 'unknown');
      assert.equal(decide(rules, state, facts), decision);
    }),
    settings,
  );
});

spec('facts that could not be read never move a build', () => {
  const away = unknown('the API does not answer');
  const blind = { ...fine, connection: away, commit: away, checks: away, job: away, digest: away, log: away };
  for (const state of states.filter((one) => one !== 'Unrecognised'))
    assert.is(decide(rules, state, blind).is, 'unknown', state);
});

spec('the Git host is asked only in a state whose earlier rules need no decision', () => {
  const nothing = { ...fine, commit: unasked, checks: unasked };
  const asks = (state: BuildState, facts: BuildFacts) => {
    const decision = decide(rules, state, facts);
    return decision.is === 'ask' ? decision.fact : decision.is;
  };
  assert.is(asks('Pending', nothing), 'commit');
  assert.is(asks('Pending', { ...nothing, cancelRequested: true }), 'event');
  assert.is(asks('Pending', { ...nothing, registry: '' }), 'event');
  assert.is(asks('WaitingForCI', { ...nothing, connection: known('notReady') }), 'event');
  assert.is(asks('WaitingForCI', { ...nothing, commit: fine.commit, waitForCI: true }), 'checks');
  for (const state of ['Succeeded', 'Failed', 'Cancelled'] as const) assert.is(asks(state, nothing), 'event', state);
});

spec('every rule belongs to a state, yields one of its arrows, and has a unique id', () => {
  assert.is(new Set(buildEvents.map(({ id }) => id)).size, buildEvents.length);
  for (const { id, in: where, then } of buildEvents) {
    assert.ok(where.length > 0, id);
    for (const state of where) assert.ok(arrowOf(stepper, state, then), `${id}: ${state} ${then}`);
  }
});

spec.run();
