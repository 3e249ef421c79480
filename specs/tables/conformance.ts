import type { AnyStateMachine } from 'xstate';
import type { EventRule } from '../../rules/engine.ts';
import { ensuresOf, hasArrow, statesOf as statesOfMachine, step } from '../../runtime/step.ts';
import { type Arrow, arrowsOf, arrowText } from './arrows.ts';
import { type Parsed, statesOf } from './parse.ts';

type AnyRule = Pick<EventRule<never, string, string>, 'id' | 'in' | 'then'> & {
  readonly look?: { readonly afterMs: number; readonly reset?: unknown };
};

/** What is compared: a table, the machine that should be it, and the rules that name its events. */
export interface Compared {
  readonly table: Parsed;
  readonly machine: AnyStateMachine;
  readonly rules: readonly AnyRule[];
  /** Events no rule yields: asked for by a command, or found to be done from outside. */
  readonly unruled: readonly string[];
}

const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '));
const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((name, at) => name === b[at]);

/** Everything in which a machine and its rules differ from their table, in words; nothing when they are the same. */
export function differences(compared: Compared): readonly string[] {
  const arrows = arrowsOf(compared.table);
  return [
    ...arrows.flatMap((arrow) => [...machineFaults(arrow, compared), ...ruleFaults(arrow, compared)]),
    ...unwrittenArrows(arrows, compared),
    ...unwrittenRules(arrows, compared),
    ...stateFaults(compared),
  ];
}

/** Row → machine: target, actions in their order, ensures of the state reached. */
function machineFaults(arrow: Arrow, { machine }: Compared): readonly string[] {
  const text = arrowText(arrow);
  const taken = statesOfMachine(machine).includes(arrow.from) ? step(machine, arrow.from, arrow.event) : null;
  if (taken === null) return [`${text}: the machine has no such arrow`];
  const faults: string[] = [];
  if (taken.to !== arrow.to) faults.push(`${text}: the machine goes to ${taken.to}`);
  if (!same(taken.actions, arrow.does))
    faults.push(`${text}: the machine does ${list(taken.actions)}, not ${list(arrow.does)}`);
  const ensured = ensuresOf(machine, arrow.to);
  if (!same(ensured, arrow.ensures))
    faults.push(`${text}: ${arrow.to} ensures ${list(ensured)}, not ${list(arrow.ensures)}`);
  return faults;
}

/** Row → rules: somebody says that it happened, and whoever does looks again when the row says. */
function ruleFaults(arrow: Arrow, { rules, unruled }: Compared): readonly string[] {
  const text = arrowText(arrow);
  const yielding = rules.filter(({ in: states, then }) => then === arrow.event && states.includes(arrow.from));
  if (unruled.includes(arrow.event))
    return yielding.map(({ id }) => `${text}: the rule ${id} yields what only a command or somebody outside does`);
  if (yielding.length === 0) return [`${text}: no rule yields ${arrow.event} in ${arrow.from}`];
  return yielding.flatMap(({ id, look }) => {
    const says = look === undefined ? 'never' : `${look.afterMs} ms${look.reset ? ' or reset' : ''}`;
    const wants = arrow.look === null ? 'never' : `${arrow.look.afterMs} ms${arrow.look.orReset ? ' or reset' : ''}`;
    return says === wants ? [] : [`${text}: the rule ${id} looks again in ${says}, not ${wants}`];
  });
}

/** Machine → rows. */
const unwrittenArrows = (arrows: readonly Arrow[], { table, machine }: Compared) =>
  statesOfMachine(machine).flatMap((from) =>
    machine.events
      .filter((event) => hasArrow(machine, from, event))
      .filter((event) => !arrows.some((arrow) => arrow.from === from && arrow.event === event))
      .map((event) => `${table.file}: no row for the machine's ${from} ${event} → ${step(machine, from, event)?.to}`),
  );

/** Rules → rows: an event that a rule yields in a state is an arrow there. */
const unwrittenRules = (arrows: readonly Arrow[], { table, rules }: Compared) =>
  rules.flatMap(({ id, in: states, then }) =>
    states
      .filter((from) => !arrows.some((arrow) => arrow.from === from && arrow.event === then))
      .map((from) => `${table.file}: no row for the rule ${id}: ${from} ${then}`),
  );

/** The states of both are the same. */
function stateFaults({ table, machine }: Compared): readonly string[] {
  const written = statesOf(table);
  const built = statesOfMachine(machine);
  return [
    ...written
      .filter((state) => !built.includes(state))
      .map((state) => `${table.file}: the machine has no state ${state}`),
    ...built.filter((state) => !written.includes(state)).map((state) => `${table.file}: no row or lens names ${state}`),
  ];
}
