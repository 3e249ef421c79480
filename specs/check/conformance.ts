import { hasArrow, statesOf as statesOfMachine } from '../../runtime/step/machine.ts';
import type { Arrow } from '../tables/arrows.ts';
import { sectionAt, statesOf } from '../tables/parse.ts';
import { grouped, once } from './grouped.ts';
import {
  actingFaults,
  commandFaults,
  findingFaults,
  type ArrowFault,
  lookFaults,
  wayText,
  yieldFaults,
} from './happening.ts';
import type { Fault } from './outcome.ts';
import { arrowAt, ruleAt, type Run } from './run.ts';

const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '));
const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((name, at) => name === b[at]);
const fault = (text: string, ...at: readonly string[]): Fault => ({ check: 'conformance', at: once(at), text });

/** Everything in which a machine and its rules differ from their table; empty if they agree. */
export function conformance(run: Run): readonly Fault[] {
  const found = run.interpreter.arrows.flatMap((arrow) => [
    ...(arrow.absent ? absentFound(arrow, run) : machineFound(arrow, run)),
    ...yieldFaults(arrow, run),
  ]);
  return [
    ...stateFaults(run),
    ...toldOnce(found),
    ...ensureFaults(run),
    ...lookFaults(run),
    ...commandFaults(run),
    ...findingFaults(run),
    ...actingFaults(run),
    ...unwrittenArrows(run),
    ...unwrittenRules(run),
  ];
}

/** The same fault in several arrows of one row is reported once, with all their states. */
const toldOnce = (found: readonly ArrowFault[]): readonly Fault[] =>
  grouped(found, ({ arrow, what }) => `${arrow.id} ${what}`).map((group) => {
    const way = wayText(group.map(({ arrow }) => arrow));
    return fault(`${way}: ${group[0].what}`, ...group.flatMap(({ at }) => at));
  });

/** Checks that both have the same states. */
function stateFaults({ table, machine, subject, places }: Run): readonly Fault[] {
  const written = statesOf(table);
  const built = statesOfMachine(machine);
  const rowOf = (state: string) =>
    [...table.rows, ...table.absence].find(({ from, to }) => to === state || from.includes(state)) ??
    table.lens.find(({ readAs }) => readAs === state);
  return [
    ...written
      .filter((state) => !built.includes(state))
      .map((state) =>
        fault(
          `the table has a state ${state}, the machine has none`,
          `${table.file}:${rowOf(state)?.line ?? 1}`,
          places.arrows[''] ?? subject.files.machine,
        ),
      ),
    ...built
      .filter((state) => !written.includes(state))
      .map((state) =>
        fault(
          `the machine has a state ${state}, no row names it`,
          places.arrows[state] ?? subject.files.machine,
          sectionAt(table, 'Arrows'),
        ),
      ),
  ];
}

/** Row → machine: the target, and the actions in order. */
function machineFound(arrow: Arrow, run: Run): readonly ArrowFault[] {
  const at = [arrow.at, arrowAt(run, arrow.from, arrow.event)];
  const taken = run.step(arrow.from, arrow.event);
  if (taken === null) return [{ arrow, at, what: 'the machine has no such arrow' }];
  const found: ArrowFault[] = [];
  if (taken.to !== arrow.to) found.push({ arrow, at, what: `the machine goes to ${taken.to}` });
  if (!same(taken.actions, arrow.does))
    found.push({ arrow, at, what: `the row does ${list(arrow.does)}, the machine ${list(taken.actions)}` });
  return found;
}

/** A row from or to absence is no arrow of the machine. */
const absentFound = (arrow: Arrow, run: Run): readonly ArrowFault[] =>
  run.step(arrow.from, arrow.event) === null
    ? []
    : [
        {
          arrow,
          at: [arrow.at, arrowAt(run, arrow.from, arrow.event)],
          what: 'absence belongs to the controller, but the machine has an arrow for it',
        },
      ];

/** Rows → machine: a state ensures what every row into it says; rows that agree are reported together. */
function ensureFaults(run: Run): readonly Fault[] {
  const built = statesOfMachine(run.machine);
  const wrong = run.interpreter.arrows.filter(
    ({ to, ensures, absent }) => !absent && built.includes(to) && !same(run.ensures(to), ensures),
  );
  return grouped(wrong, ({ to, ensures }) => `${to} ${ensures.join()}`).map((arrows) => {
    const [{ to, ensures }] = arrows;
    return fault(
      ensureText(to, { ensured: run.ensures(to), ensures, ids: once(arrows.map(({ id }) => id)) }),
      ...arrows.map(({ at }) => at),
      arrowAt(run, to, ''),
    );
  });
}

interface Ensured {
  readonly ensured: readonly string[];
  readonly ensures: readonly string[];
  readonly ids: readonly string[];
}

function ensureText(state: string, { ensured, ensures, ids }: Ensured): string {
  const [lacks, more] = [difference(ensures, ensured), difference(ensured, ensures)];
  const isOne = ids.length === 1;
  const rows = `the row${isOne ? '' : 's'} ${list(ids)}`;
  if (lacks.length > 0 && more.length === 0)
    return `${state} lacks ${list(lacks)}, which ${rows} ensure${isOne ? 's' : ''}`;
  if (more.length > 0 && lacks.length === 0)
    return `${state} ensures ${list(more)}, which ${rows} do${isOne ? 'es' : ''} not`;
  return `${state} ensures ${list(ensured)}, ${rows} ${list(ensures)}`;
}

const difference = (these: readonly string[], those: readonly string[]) =>
  these.filter((name) => !those.includes(name));

/** Machine → rows. */
function unwrittenArrows(run: Run): readonly Fault[] {
  const { machine, interpreter, table } = run;
  const arrows = statesOfMachine(machine).flatMap((from) =>
    machine.events
      .filter((event) => hasArrow(machine, from, event) && interpreter.next(from, event) === undefined)
      .map((event) => ({ from, event, to: run.step(from, event)?.to ?? from })),
  );
  return grouped(arrows, ({ from, event, to }) => `${event} ${from === to ? '' : to}`).map((group) => {
    const [{ event, to }] = group;
    const from = group.map((each) => each.from).join(', ');
    return fault(
      `the machine has an arrow ${from} ${event} → ${group.length > 1 && group[0].from === to ? 'same' : to}, no row of the table`,
      ...group.map((each) => arrowAt(run, each.from, event)),
      sectionAt(table, 'Arrows'),
    );
  });
}

/** Rules → rows: an event that a rule yields in a state must be an arrow there. */
const unwrittenRules = (run: Run): readonly Fault[] =>
  run.rules.flatMap(({ id, in: states, then }) => {
    const unwritten = states.filter((from) => run.interpreter.next(from, then) === undefined);
    return unwritten.length === 0
      ? []
      : [
          fault(
            `the rule ${id} yields ${then} in ${unwritten.join(', ')}, no row of the table`,
            ruleAt(run, id),
            sectionAt(run.table, unwritten.includes('(none)') ? 'Absence' : 'Arrows'),
          ),
        ];
  });
