import { exactDuration } from '../tables/arrows.ts';
import { sectionAt } from '../tables/parse.ts';
import type { Fault } from './outcome.ts';
import { ruleAt, type Run } from './run.ts';

/** Checks the order of the rules of each state against the documented order. */
export function orderFaults(run: Run): readonly Fault[] {
  const { table, rulesByState } = run;
  const ruled = [...rulesByState.keys()].filter((state) => !table.order.some((row) => row.state === state));
  return [
    ...ruled.map((state): Fault => {
      const ids = (rulesByState.get(state) ?? []).map(({ id }) => id);
      const text = `the order of the rules of ${state} is not written down: ${ids.join(' ')}`;
      return { check: 'order', at: [sectionAt(table, 'Order'), ruleAt(run, ids[0] ?? '')], text };
    }),
    ...table.order.flatMap(({ state, rules: wanted, line }): readonly Fault[] => {
      const tried = (rulesByState.get(state) ?? []).map(({ id }) => id);
      const length = Math.max(tried.length, wanted.length);
      const first = Array.from({ length }).findIndex((_, index) => tried[index] !== wanted[index]);
      if (first === -1) return [];
      const [is, should] = [tried[first], wanted[first]];
      const head = `${state}: rule ${first + 1} should be ${should ?? 'none'}, it is ${is ?? 'none'}`;
      const text = [head, ...sideBySide(wanted, tried)].join('\n');
      return [{ check: 'order', at: [`${table.file}:${line}`, ruleAt(run, is ?? should ?? '')], text }];
    }),
  ];
}

/** Two lists one above the other, with the part that differs in brackets. */
function sideBySide(wanted: readonly string[], tried: readonly string[]): readonly string[] {
  const shorter = Math.min(wanted.length, tried.length);
  const differsAt = (pairs: readonly (readonly [string | undefined, string | undefined])[]) => {
    const found = pairs.findIndex(([one, other]) => one !== other);
    return found === -1 ? shorter : found;
  };
  const before = differsAt(wanted.slice(0, shorter).map((id, at) => [id, tried[at]]));
  const after = differsAt(
    Array.from({ length: shorter - before }, (_, at) => [wanted.at(-1 - at), tried.at(-1 - at)] as const),
  );
  const behind = Math.min(after, shorter - before);
  const marked = (ids: readonly string[]) => {
    const end = ids.length - behind;
    return [...ids.slice(0, before), `[${ids.slice(before, end).join(' ')}]`, ...ids.slice(end)].join(' ');
  };
  return [`    written  ${marked(wanted)}`, `    tried    ${marked(tried)}`];
}

const shown = (value: number) => (value >= 1_000 ? `${exactDuration(value)} (${value})` : String(value));

/** Documented texts of rules that do not exist. */
export const wordsFaults = ({ table, rules, subject }: Run): readonly Fault[] =>
  table.words
    .filter(({ rule }) => !rules.some(({ id }) => id === rule))
    .map(({ rule, line }) => ({
      check: 'order',
      at: [`${table.file}:${line}`, subject.files.rules],
      text: `no rule is called ${rule}`,
    }));

/** Checks the numbers that the rules compare with against the documented limits. */
export function limitFaults(run: Run, values: Readonly<Record<string, number>>): readonly Fault[] {
  const { table, subject, places } = run;
  const written = new Set(table.limits.map(({ name }) => name));
  return [
    ...Object.keys(values)
      .filter((name) => !written.has(name))
      .map((name): Fault => ({
        check: 'limits',
        at: [sectionAt(table, 'Limits'), places.rules[name] ?? subject.files.rules],
        text: `the limit ${name} = ${shown(values[name] ?? 0)} is not written down`,
      })),
    ...table.limits
      .filter(({ name, value }) => values[name] !== value)
      .map(({ name, value, line }): Fault => {
        const is = values[name];
        const text = `the limit ${name} should be ${shown(value)}, ${is === undefined ? 'the rules have none' : `it is ${shown(is)}`}`;
        return { check: 'limits', at: [`${table.file}:${line}`, places.rules[name] ?? subject.files.rules], text };
      }),
  ];
}
