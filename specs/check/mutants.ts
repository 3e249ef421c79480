import { type AnyStateMachine, createMachine } from 'xstate';
import { arrowAt, type AnyRule, ruleAt, type Run } from './run.ts';

/** A change of one thing, with the resulting machine, rules or limits. */
export interface Mutation {
  readonly text: string;
  readonly at: string;
  /** The machine with one state changed; its other states are empty and come from the original. */
  readonly machine?: AnyStateMachine;
  readonly state?: string;
  readonly rules?: readonly AnyRule[];
  readonly limits?: Readonly<Record<string, number>>;
  /** A limit that a condition compares with: facts at its boundary must show the change. */
  readonly compared?: boolean;
}

interface ArrowConfig {
  readonly target?: string;
  readonly actions?: unknown;
}
interface StateConfig {
  readonly on?: Readonly<Record<string, ArrowConfig>>;
  readonly meta?: { readonly ensures?: readonly string[] };
}
type States = Readonly<Record<string, StateConfig>>;

const listed = (actions: unknown): readonly unknown[] => {
  if (actions === undefined) return [];
  return Array.isArray(actions) ? (actions as readonly unknown[]) : [actions];
};
const without = <T>(list: readonly T[], index: number): readonly T[] => list.filter((_, each) => each !== index);
const nameOf = (action: unknown) =>
  typeof action === 'object' && action !== null && 'type' in action ? String(action.type) : String(action);

/** Every mutant of a machine: each arrow removed, redirected, without its actions; each ensure removed. */
export function machineMutations(run: Run): readonly Mutation[] {
  const config = run.machine.config as unknown as { readonly states: States };
  const { states } = config;
  const bare = Object.fromEntries(Object.keys(states).map((state) => [state, {}]));
  const remade = (state: string, changed: StateConfig): AnyStateMachine =>
    createMachine({ id: run.machine.id, initial: state, states: { ...bare, [state]: changed } } as never);
  return Object.entries(states).flatMap(([state, { on = {}, ...rest }]) => [
    ...Object.entries(on).flatMap(([event, arrow]): readonly Mutation[] => {
      const at = arrowAt(run, state, event);
      const arrowWith = (changed: ArrowConfig | null) => {
        const others = Object.entries(on).filter(([other]) => other !== event);
        const now = changed === null ? others : [...others, [event, changed] as const];
        return remade(state, { ...rest, on: Object.fromEntries(now) });
      };
      const actions = listed(arrow.actions);
      return [
        { text: `arrow ${state} ${event} removed`, at, state, machine: arrowWith(null) },
        ...Object.keys(states)
          .filter((target) => target !== arrow.target)
          .map((target) => ({
            text: `arrow ${state} ${event} led to ${target} instead of ${arrow.target}`,
            at,
            state,
            machine: arrowWith({ ...arrow, target }),
          })),
        ...actions.map((action, index) => ({
          text: `arrow ${state} ${event} without its action ${nameOf(action)}`,
          at,
          state,
          machine: arrowWith({ ...arrow, actions: without(actions, index) }),
        })),
      ];
    }),
    ...(rest.meta?.ensures ?? []).map((ensure, index, ensures): Mutation => ({
      text: `state ${state} without its ensure ${ensure}`,
      at: arrowAt(run, state, ''),
      state,
      machine: remade(state, { ...rest, on, meta: { ...rest.meta, ensures: without(ensures, index) } }),
    })),
  ]);
}

/**
 * Every mutant of the rules: each negated, swapped with its neighbour, removed from a state, tried for something else,
 * its next check a millisecond off.
 */
export function ruleMutations(run: Run): readonly Mutation[] {
  const { rules } = run;
  const changed = (index: number, rule: AnyRule) => rules.map((each, at) => (at === index ? rule : each));
  return rules.flatMap((rule, index): readonly Mutation[] => {
    const { id, look } = rule;
    const at = ruleAt(run, id);
    const next = rules[index + 1];
    const common = next && rule.in.some((state) => next.in.includes(state));
    return [
      { text: `rule ${id} negated`, at, rules: changed(index, { ...rule, when: (facts) => !rule.when(facts) }) },
      ...(next && common
        ? [
            {
              text: `rule ${id} swapped with ${next.id}`,
              at,
              rules: rules.map((each, place) => (place === index ? next : place === index + 1 ? rule : each)),
            },
          ]
        : []),
      ...rule.in.map((state) => ({
        text: `rule ${id} no longer in ${state}`,
        at,
        rules: changed(index, { ...rule, in: rule.in.filter((other) => other !== state) }),
      })),
      ...purposeMutations(run, rule).map(({ text, changed: other }) => ({ text, at, rules: changed(index, other) })),
      ...(look && 'afterMs' in look
        ? [1, -1].map((by) => ({
            text: `rule ${id} looks again ${by === 1 ? 'a millisecond later' : 'a millisecond earlier'}`,
            at,
            rules: changed(index, { ...rule, look: { ...look, afterMs: look.afterMs + by } }),
          }))
        : []),
    ];
  });
}

interface Repurposed {
  readonly text: string;
  readonly changed: AnyRule;
}

/** Mutants of what a rule is tried for: commands or passes, external changes or not. */
function purposeMutations({ table }: Run, rule: AnyRule): readonly Repurposed[] {
  const { id, answers, finds, ...plain } = rule;
  const asked = table.asked.map(({ command }) => command);
  if (asked.length === 0) return [];
  if (finds) return [{ text: `rule ${id} no longer finds what happened`, changed: { id, ...plain } }];
  return answers === undefined
    ? [
        { text: `rule ${id} finds what happened`, changed: { ...rule, finds: true as const } },
        { text: `rule ${id} answers commands`, changed: { ...rule, answers: asked } },
      ]
    : [
        { text: `rule ${id} answers nothing`, changed: { id, ...plain } },
        ...(answers.length > 1 ? answers : []).map((command) => ({
          text: `rule ${id} no longer answers ${command}`,
          changed: { ...rule, answers: answers.filter((each) => each !== command) },
        })),
      ];
}

/** Every mutant of a limit: one more, one less. */
export function limitMutations(run: Run): readonly Mutation[] {
  const { limits, files } = run.subject;
  if (!limits) return [];
  return Object.entries(limits.values).flatMap(([name, value]) =>
    [1, -1].map((by) => {
      const values = { ...limits.values, [name]: value + by };
      return {
        text: `limit ${name} ${value + by} instead of ${value}`,
        at: run.places.rules[name] ?? files.rules,
        rules: limits.rules(values),
        limits: values,
        compared: limits.elsewhere?.includes(name) !== true,
      };
    }),
  );
}
