import type { Arrow } from '../tables/arrows.ts';
import { explore } from './explore.ts';
import { type AnyRule, changedRun, type Run } from './run.ts';

/** The number of states to explore for one change, and for all changes of a lifecycle. */
const ofOne = 6_000;
const ofAll = 900_000;

/** The run over another specification: table and machine are changed alike, so only an invariant can object. */
function respecified(run: Run, arrows: readonly Arrow[]): Run {
  const byKey = new Map(arrows.map((arrow) => [`${arrow.from} ${arrow.event}`, arrow]));
  const next = (state: string, event: string) => byKey.get(`${state} ${event}`);
  return {
    ...run,
    interpreter: { arrows, next },
    step: (state, event) => {
      const arrow = next(state, event);
      return arrow && !arrow.absent ? { to: arrow.to, actions: arrow.does } : null;
    },
  };
}

const without = <T>(list: readonly T[], index: number): readonly T[] => list.filter((_, each) => each !== index);

/** Unwanted specifications: each arrow removed, redirected, or without its actions or ensures; rules removed. */
function* unwanted(run: Run): Generator<Run> {
  const { interpreter, rules } = run;
  // Where arrows lead, the end of a life among them.
  const targets = new Set([...run.states, ...interpreter.arrows.map(({ to }) => to)]);
  const withArrow = (index: number, change: Arrow | null) =>
    respecified(
      run,
      interpreter.arrows.flatMap((each, at) => (at === index ? (change ?? []) : [each])),
    );
  for (const [index, rule] of rules.entries()) {
    yield changedRun(run, { rules: without(rules, index) });
    const negated: AnyRule = { ...rule, when: (facts) => !rule.when(facts) };
    yield changedRun(run, { rules: rules.map((each, at) => (at === index ? negated : each)) });
  }
  for (const [index, arrow] of interpreter.arrows.entries()) {
    for (const at of arrow.does.keys()) yield withArrow(index, { ...arrow, does: without(arrow.does, at) });
    if (arrow.ensures.length > 0) yield withArrow(index, { ...arrow, ensures: [] });
    yield withArrow(index, null);
    for (const to of targets) if (to !== arrow.to) yield withArrow(index, { ...arrow, to });
  }
}

/** Invariants that no unwanted specification violates: possibly nothing could. */
export function unproven(run: Run): readonly string[] {
  const left = new Set(Object.keys(run.subject.model.invariants));
  let worlds = 0;
  for (const changed of unwanted(run)) {
    if (left.size === 0 || worlds > ofAll) break;
    const { brokenInvariants, searched } = explore(changed, ofOne);
    worlds += searched.worlds;
    for (const name of brokenInvariants) left.delete(name);
  }
  return [...left];
}
