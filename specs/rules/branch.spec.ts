import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type BranchEvent, type BranchFacts, branchRules } from '../../rules/app/branch.ts';
import type { ConnectionSeen } from '../../rules/build/facts.ts';
import { decide, requeueAfterMs } from '../../rules/engine.ts';
import { known, unasked } from '../../rules/fact.ts';
import type { GitAnswer } from '../../rules/gitAnswer.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the branch of a service');
const now = 1_000_000;
const a = 'a'.repeat(40);
const b = 'b'.repeat(40);

const answers: readonly GitAnswer<string>[] = [
  { is: 'found', value: a },
  { is: 'found', value: b },
  { is: 'refused', code: 404, status: '404 Not Found' },
  { is: 'silent', why: 'down' },
  { is: 'limited', until: now + 90_000 },
];
const facts = fc.record<BranchFacts>({
  deployed: fc.boolean(),
  ofBranch: fc.boolean(),
  known: fc.constantFrom('', a),
  connection: fc.constantFrom<ConnectionSeen[]>('ready', 'absent', 'notReady', 'noToken'),
  head: fc.constantFrom(unasked, ...answers.map((answer) => known(answer))),
});

/** The order, written down once more: what happened and when it is looked at again; null for a question. */
function expected({ deployed, ofBranch, known: before, connection, head }: BranchFacts): [BranchEvent, number] | null {
  const minutes = (count: number) => count * 60_000;
  if (!deployed || !ofBranch) return ['notFollowed', 0];
  if (before === '') return ['resolvedByBuild', minutes(10)];
  if (connection !== 'ready') return ['notAsked', 0];
  if (head.is !== 'known') return null;
  switch (head.value.is) {
    case 'refused':
      return ['refused', minutes(10)];
    case 'silent':
      return ['silent', minutes(1)];
    case 'limited':
      return ['silent', 90_000];
    case 'found':
      return [head.value.value === before ? 'headStayed' : 'headMoved', minutes(10)];
  }
}

spec(
  'GIT-003 GIT-005 a new head without a webhook is a push, for a deployed service that is built from a branch',
  () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(facts, (given) => {
        const decision = decide(branchRules, 'Followed', given);
        const wanted = expected(given);
        if (wanted === null) return assert.is(decision.is, 'ask', 'only its answer decides');
        assert.ok(decision.is === 'event');
        const { then, look } = decision.rule;
        seen.add(then);
        assert.equal([then, look ? requeueAfterMs(look, given, now) : 0], wanted);
      }),
      { numRuns: 2_000 },
    );
    assert.is(seen.size, 7, 'every event happened');
  },
);

spec('the explanation names the head that was found', () => {
  const given = {
    deployed: true,
    ofBranch: true,
    known: a,
    connection: 'ready',
    head: known(answers[1]),
  } as BranchFacts;
  const decision = decide(branchRules, 'Followed', given);
  assert.is(
    decision.is === 'event' && decision.rule.says(given).text,
    'the branch was found at bbbbbbbbbbbb, which no webhook reported',
  );
});
spec.run();
