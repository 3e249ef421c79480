import { createMachine } from 'xstate';
import type { Row } from '../../machines/table.ts';
import type { VerdictRule } from '../../rules/verdict.ts';
import { lifecycle } from '../lifecycles/consoleSession.ts';
import type { Parsed } from '../tables/parse.ts';
import { tableOf } from './check.ts';
import { placesOf } from './places.ts';
import { type AnyRule, runOf, type Run } from './run.ts';
import type { AnySubject } from './subject.ts';
import { closed, type Message } from '../../rules/words.ts';

/** The original table. */
export const table = tableOf('consoleSession');
const places = placesOf(lifecycle.files);
/** The changes to the console session. */
export interface Changes {
  readonly table?: Parsed;
  readonly subject?: AnySubject;
  readonly machine?: unknown;
  readonly rules?: readonly AnyRule[];
}
/** The console session prepared for a run, with changes. */
export const changed = ({ machine, ...rest }: Changes): Run =>
  runOf({
    subject: lifecycle,
    table,
    places,
    seed: 7,
    ...rest,
    ...(machine === undefined ? {} : { machine: createMachine(machine as never) }),
  });

/** One row of the table changed, or removed. */
export const row = (id: string, change: (row: Row) => Row | null): Changes => ({
  table: { ...table, rows: table.rows.flatMap((each) => (each.id === id ? (change(each) ?? []) : [each])) },
});
/** One rule changed, or removed. */
export const rule = (id: string, change: (rule: AnyRule) => AnyRule | null): Changes => ({
  rules: lifecycle.rules.flatMap((each) => (each.id === id ? (change(each) ?? []) : [each])),
});
/** Extra rules after the others. */
export const withRules = (...rules: readonly AnyRule[]): Changes => ({ rules: [...lifecycle.rules, ...rules] });
/** A rule swapped with the next one. */
export const swapped = (id: string): Changes => {
  const at = lifecycle.rules.findIndex((each) => each.id === id);
  const [one, two] = [lifecycle.rules[at], lifecycle.rules[at + 1]];
  if (!one || !two) throw new Error(`${id} has no neighbour`);
  return { rules: lifecycle.rules.toSpliced(at, 2, two, one) };
};
/** The original machine. */
export const config = lifecycle.machine.config as unknown as {
  readonly states: Readonly<Record<string, { readonly on?: object; readonly meta?: object }>>;
};
/** One state of the machine changed. */
export const state = (name: string, change: { readonly on?: object; readonly meta?: object }): Changes => ({
  machine: { ...config, states: { ...config.states, [name]: { ...config.states[name], ...change } } },
});
/** One arrow of the machine changed. */
export const arrow = (name: string, event: string, to: object): Changes =>
  state(name, { on: { ...config.states[name]?.on, [event]: to } });
/** An extra rule. */
export const aRule = (change: Partial<AnyRule>): AnyRule => ({
  id: 'new-rule',
  in: ['Active'],
  needs: [],
  when: () => true,
  then: 'limitAhead',
  says: () => closed('x'),
  ...change,
});

/** One row of a verdict table changed. */
export function verdict(name: string, index: number, change: Partial<VerdictRule<never, Message | string>>): Changes {
  const of = lifecycle.verdicts?.[name];
  if (!of) throw new Error(`no verdicts ${name}`);
  const rules = of.table.map((each, at) => (at === index ? { ...each, ...change } : each));
  return { subject: { ...lifecycle, verdicts: { ...lifecycle.verdicts, [name]: { ...of, table: rules } } } };
}
