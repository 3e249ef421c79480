import { transition } from 'xstate';
import { build } from '../../machines/build.ts';
import type { BuildFacts } from '../../rules/build/facts.ts';
import { buildEvents } from '../../rules/build/events.ts';
import { byState, decide } from '../../rules/engine.ts';
import { known, unasked } from '../../rules/fact.ts';
import { takeArrow } from '../../runtime/step/machine.ts';
import { median, nanosecondsEach } from './measure.ts';

const rules = byState(buildEvents);

/** A build that waits for its checks: its rules are tried nearly to the end. */
const facts: BuildFacts = {
  now: 0,
  phase: 'WaitingForCI',
  run: null,
  cancelRequested: false,
  asked: null,
  found: null,
  pushes: { head: '', deliveries: [] },
  resetFrom: null,
  registry: 'registry.local/apps',
  context: 'services/shop',
  buildfile: 'Buildfile',
  revision: '',
  sourceRevision: 'c'.repeat(40),
  waitForCI: true,
  connectionRef: 'shop-git',
  connection: known('ready'),
  commit: known({ is: 'found', value: 'c'.repeat(40) }),
  checks: known({ is: 'found', value: [{ name: 'test', status: 'in_progress', conclusion: null }] }),
  job: known({ is: 'absent' }),
  digest: unasked,
  hindrance: null,
  log: known('settled'),
};

export interface DecisionFigures {
  readonly bareNs: number;
  readonly rulesNs: number;
  readonly wholeNs: number;
  /** Budget: at most 1.5. */
  readonly ratio: number;
  /** Budget: at most 0.1. */
  readonly rulesRatio: number;
}

/** A decision with its words and its step, against xstate's bare `transition` of the same machine. */
export function decisionFigures(): DecisionFigures {
  const bare = () =>
    transition(build, build.resolveState({ value: 'WaitingForCI', context: {} }), { type: 'checksPending' });
  const ruled = () => decide(rules, 'WaitingForCI', facts);
  const whole = () => {
    const decision = ruled();
    if (decision.is !== 'event') throw new Error('the facts decide nothing');
    decision.rule.says(facts);
    return takeArrow(build, 'WaitingForCI', decision.rule.then);
  };
  const rounds = Array.from({ length: 7 }, () => ({
    bareNs: nanosecondsEach(bare),
    rulesNs: nanosecondsEach(ruled),
    wholeNs: nanosecondsEach(whole),
  }));
  const [bareNs, rulesNs, wholeNs] = [
    median(rounds.map((round) => round.bareNs)),
    median(rounds.map((round) => round.rulesNs)),
    median(rounds.map((round) => round.wholeNs)),
  ];
  return { bareNs, rulesNs, wholeNs, ratio: wholeNs / bareNs, rulesRatio: rulesNs / bareNs };
}
