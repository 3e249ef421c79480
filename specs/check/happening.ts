import { type Arrow, arrowText, lookText, sameLook } from '../tables/arrows.ts';
import { sectionAt } from '../tables/parse.ts';
import { grouped, once } from './grouped.ts';
import type { Fault } from './outcome.ts';
import { type AnyRule, ruleAt, type Run } from './run.ts';

/** A fault in one arrow. */
export interface ArrowFault {
  readonly arrow: Arrow;
  readonly what: string;
  readonly at: readonly string[];
}

const yields = ({ in: states, then }: AnyRule, { from, event }: Arrow) => then === event && states.includes(from);

const elsewhereFor = ({ table }: Run, { event }: Arrow) => table.elsewhere.find((other) => other.event === event);

/** Row → rules: a rule yields the event, or it happens elsewhere. */
export function yieldFaults(arrow: Arrow, run: Run): readonly ArrowFault[] {
  const yielding = run.rules.filter((rule) => yields(rule, arrow));
  const elsewhere = elsewhereFor(run, arrow);
  if (elsewhere)
    return yielding.map(({ id }) => ({
      arrow,
      at: [`${run.table.file}:${elsewhere.line}`, ruleAt(run, id)],
      what: `comes from ${elsewhere.by}, but the rule ${id} yields it too`,
    }));
  if (yielding.length > 0) return [];
  const what = `no rule yields ${arrow.event} in ${arrow.from}, and it is not among the events from elsewhere`;
  return [{ arrow, at: [arrow.at, ruleNear(run, arrow)], what }];
}

/** Where a rule for an arrow belongs: next to one with the same event, otherwise next to one of the same state. */
function ruleNear(run: Run, { from, event }: Arrow): string {
  const near =
    run.rules.find(({ then }) => then === event) ?? run.rules.find(({ in: states }) => states.includes(from));
  return near ? ruleAt(run, near.id) : run.subject.files.rules;
}

/** Rows → rules: a rule has the next check of its row; the same fault in many rules is reported once. */
export function lookFaults(run: Run): readonly Fault[] {
  const pairs = run.interpreter.arrows
    .filter((arrow) => !elsewhereFor(run, arrow))
    .flatMap((arrow) =>
      run.rules
        .filter((rule) => yields(rule, arrow) && !sameLook(arrow.look, rule.look))
        .map((rule) => ({ arrow, rule })),
    );
  return grouped(pairs, ({ arrow, rule }) => `${arrow.look} ${lookText(rule.look)}`).map((group) => {
    const [{ arrow, rule }] = group;
    const [rows, rules] = [once(group.map((each) => each.arrow.id)), once(group.map((each) => each.rule.id))];
    const [written, is] = [arrow.look || 'never', lookText(rule.look)];
    const arrows = group.map((each) => each.arrow);
    const looks = rows.length === 1 ? `${wayText(arrows)}: the row looks` : `the rows ${rows.join(', ')} look`;
    const text = `${looks} again ${written}, the rule${rules.length === 1 ? '' : 's'} ${rules.join(', ')} ${is}`;
    const at = once([...group.map((each) => each.arrow.at), ...group.map((each) => ruleAt(run, each.rule.id))]);
    return { check: 'conformance', at, text };
  });
}

/** The arrows of one row in words, reported together. */
export function wayText(arrows: readonly Arrow[]): string {
  const [first] = arrows;
  if (!first) return '';
  const from = once(arrows.map((each) => each.from)).join(', ');
  return arrowText({ ...first, from, to: once(arrows.map(({ to }) => to)).length === 1 ? first.to : 'same' });
}

/** Checks the documented commands against those that rules answer. */
export function commandFaults({ table, rules, ...run }: Run): readonly Fault[] {
  const answered = new Map(rules.flatMap(({ id, answers = [] }) => answers.map((command) => [command, id] as const)));
  const written = new Set(table.asked.map(({ command }) => command));
  return [
    ...table.asked
      .filter(({ command }) => !answered.has(command))
      .map(({ command, line }): Fault => ({
        check: 'conformance',
        at: [`${table.file}:${line}`, run.subject.files.rules],
        text: `no rule answers the command ${command}`,
      })),
    ...[...answered]
      .filter(([command]) => !written.has(command))
      .map(([command, id]): Fault => ({
        check: 'conformance',
        at: [sectionAt(table, 'Asked'), ruleAt({ ...run, table, rules }, id)],
        text: `the rule ${id} answers the command ${command}, which "Asked" does not name`,
      })),
  ];
}

/**
 * A command enters an external change before it is answered, so the rules for external changes come first in their
 * state.
 */
export const findingFaults = (run: Run): readonly Fault[] =>
  [...run.rulesByState].flatMap(([state, rules]) => {
    const firstAnswer = rules.findIndex(({ answers }) => answers !== undefined);
    const late = firstAnswer === -1 ? undefined : rules.slice(firstAnswer).find(({ finds }) => finds === true);
    const text = `${state}: the rule ${late?.id} finds what happened already, and stands behind ${rules[firstAnswer]?.id}, which answers a command`;
    return late ? [{ check: 'conformance', at: [ruleAt(run, late.id)], text }] : [];
  });

/** A command or an external change is written in one place: only a pass has effects outside. */
export const actingFaults = (run: Run): readonly Fault[] =>
  run.rules
    .filter(({ answers, finds }) => answers !== undefined || finds === true)
    .flatMap((rule) => {
      const arrows = run.interpreter.arrows.filter((arrow) => yields(rule, arrow));
      const acts = once(arrows.flatMap(({ does }) => does).filter((action) => run.subject.acts?.includes(action)));
      const what = rule.finds === true ? 'finds what happened' : 'answers a command';
      return acts.map((action): Fault => ({
        check: 'conformance',
        at: once([...arrows.filter(({ does }) => does.includes(action)).map(({ at }) => at), ruleAt(run, rule.id)]),
        text: `the rule ${rule.id} ${what} and does ${action}, which changes what stands outside`,
      }));
    });
