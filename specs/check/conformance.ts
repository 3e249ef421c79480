import { hasArrow, statesOf as statesOfMachine } from '../../runtime/step.ts';
import { type Arrow, arrowText, lookText, sameLook } from '../tables/arrows.ts';
import { statesOf } from '../tables/parse.ts';
import type { Fault } from './outcome.ts';
import { type AnyRule, arrowAt, ruleAt, type Run } from './run.ts';

const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '));
const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((name, at) => name === b[at]);
const fault = (text: string, ...at: readonly string[]): Fault => ({ check: 'conformance', at, text });

/** Everything in which a machine and its rules differ from their table; nothing when they are the same. */
export const conformance = (run: Run): readonly Fault[] => [
  ...stateFaults(run),
  ...run.interpreter.arrows.flatMap((arrow) => [
    ...(arrow.absent ? absentFaults(arrow, run) : machineFaults(arrow, run)),
    ...ruleFaults(arrow, run),
  ]),
  ...unwrittenArrows(run),
  ...unwrittenRules(run),
];

/** The states of both are the same. */
function stateFaults({ table, machine, subject }: Run): readonly Fault[] {
  const written = statesOf(table);
  const built = statesOfMachine(machine);
  return [
    ...written
      .filter((state) => !built.includes(state))
      .map((state) => fault(`the table has a state ${state}, the machine has none`, table.file, subject.files.machine)),
    ...built
      .filter((state) => !written.includes(state))
      .map((state) => fault(`the machine has a state ${state}, no row names it`, subject.files.machine, table.file)),
  ];
}

/** Row → machine: target, actions in their order, ensures of the state reached. */
function machineFaults(arrow: Arrow, run: Run): readonly Fault[] {
  const text = arrowText(arrow);
  const at = [arrow.at, arrowAt(run, arrow.from, arrow.event)];
  const taken = run.step(arrow.from, arrow.event);
  if (taken === null) return [fault(`${text}: the machine has no such arrow`, ...at)];
  const faults: Fault[] = [];
  if (taken.to !== arrow.to) faults.push(fault(`${text}: the machine goes to ${taken.to}`, ...at));
  if (!same(taken.actions, arrow.does))
    faults.push(fault(`${text}: the row does ${list(arrow.does)}, the machine ${list(taken.actions)}`, ...at));
  const ensured = run.ensures(arrow.to);
  if (!same(ensured, arrow.ensures))
    faults.push(
      fault(
        `${text}: the row ensures ${list(arrow.ensures)}, the machine ensures ${list(ensured)} in ${arrow.to}`,
        arrow.at,
        arrowAt(run, arrow.to, ''),
      ),
    );
  return faults;
}

/** What leads from or to absence is no arrow of the machine. */
const absentFaults = (arrow: Arrow, run: Run): readonly Fault[] =>
  run.step(arrow.from, arrow.event) === null
    ? []
    : [
        fault(
          `${arrowText(arrow)}: absence belongs to the controller, but the machine has an arrow for it`,
          arrow.at,
          arrowAt(run, arrow.from, arrow.event),
        ),
      ];

/** Row → rules: somebody says that it happened, and whoever does looks again when the row says. */
function ruleFaults(arrow: Arrow, run: Run): readonly Fault[] {
  const text = arrowText(arrow);
  const yielding = run.rules.filter((rule) => yields(rule, arrow.from, arrow.event));
  const asked = run.table.asked.find(({ event }) => event === arrow.event);
  if (asked)
    return yielding.map(({ id }) =>
      fault(
        `${text}: asked by ${asked.by}, but the rule ${id} yields it too`,
        `${run.table.file}:${asked.line}`,
        ruleAt(run, id),
      ),
    );
  if (yielding.length === 0)
    return [
      fault(
        `${text}: no rule yields ${arrow.event} in ${arrow.from}, and it is not among the events asked from outside`,
        arrow.at,
        run.subject.files.rules,
      ),
    ];
  return yielding.flatMap(({ id, look }) =>
    sameLook(arrow.look, look)
      ? []
      : [
          fault(
            `${text}: the row looks again ${arrow.look || 'never'}, the rule ${id} ${lookText(look)}`,
            arrow.at,
            ruleAt(run, id),
          ),
        ],
  );
}

const yields = ({ in: states, then }: AnyRule, state: string, event: string) =>
  then === event && states.includes(state);

/** Machine → rows. */
const unwrittenArrows = (run: Run): readonly Fault[] =>
  statesOfMachine(run.machine).flatMap((from) =>
    run.machine.events
      .filter((event) => hasArrow(run.machine, from, event))
      .filter((event) => run.interpreter.next(from, event) === undefined)
      .map((event) =>
        fault(
          `the machine has an arrow ${from} ${event} → ${run.step(from, event)?.to}, no row of the table`,
          arrowAt(run, from, event),
          run.table.file,
        ),
      ),
  );

/** Rules → rows: an event that a rule yields in a state is an arrow there. */
const unwrittenRules = (run: Run): readonly Fault[] =>
  run.rules.flatMap(({ id, in: states, then }) =>
    states
      .filter((from) => run.interpreter.next(from, then) === undefined)
      .map((from) =>
        fault(`the rule ${id} yields ${then} in ${from}, no row of the table`, ruleAt(run, id), run.table.file),
      ),
  );
