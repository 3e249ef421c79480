import { statesOf as statesOfMachine } from '../../runtime/step/machine.ts';
import { arrowText, exactDuration } from '../tables/arrows.ts';
import { claimsOf, isClaim } from '../tables/claims.ts';
import { sectionAt } from '../tables/parse.ts';
import type { Fault } from './outcome.ts';
import { isWoken, lookFaults } from './requeues.ts';
import { namePlace } from './places.ts';
import { arrowAt, ruleAt, type Run } from './run.ts';

const fault = (text: string, ...at: readonly string[]): Fault => ({ check: 'states', at, text });

const initialOf = ({ machine }: Run): string => {
  const { initial } = machine.config;
  return typeof initial === 'string' ? initial : '';
};

/**
 * What a table and its machine lack by themselves: a way into a state, a use for a name, a next check in a waiting
 * state.
 */
export const stateFaults = (run: Run): readonly Fault[] => [
  ...unreachable(run),
  ...unusedEvents(run),
  ...waitsForEver(run),
  ...lookFaults(run.table),
  ...sinks(run),
  ...endless(run),
  ...beginsElsewhere(run),
  ...unlimited(run),
  ...misplacedClaims(run),
];

/** States that no arrow leads to; the lens names those that only an outside writer enters. */
function unreachable(run: Run): readonly Fault[] {
  const { table, interpreter, states } = run;
  const fromCreation = interpreter.arrows.filter(({ from }) => from === '(none)').map(({ to }) => to);
  const read = table.lens.filter(({ stored }) => stored.startsWith('any other')).map(({ readAs }) => readAs);
  const reached = new Set([initialOf(run), ...fromCreation, ...read]);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const { from, to } of interpreter.arrows) if (reached.has(from)) reached.add(to);
  }
  return states
    .filter((state) => !reached.has(state))
    .map((state) => fault(`no way leads to the state ${state}`, sectionAt(table, 'Arrows'), arrowAt(run, state, '')));
}

/** Events of the machine that no arrow uses. */
function unusedEvents({ machine, subject }: Run): readonly Fault[] {
  const leading = new Set(
    statesOfMachine(machine).flatMap((state) => [...(machine.states[state]?.transitions.keys() ?? [])]),
  );
  return machine.events
    .filter((event) => !leading.has(event))
    .map((event) => fault(`no arrow of the machine takes its event ${event}`, namePlace(subject.files.machine, event)));
}

/** A claim is recorded before what it names is started: it comes first in its row, and the state does not change. */
function misplacedClaims({ table, interpreter }: Run): readonly Fault[] {
  const claiming = claimsOf(table);
  return interpreter.arrows
    .filter(({ event, does }) => claiming.includes(event) || does.some(isClaim))
    .filter(({ from, to, does: [first = ''] }) => from !== to || !isClaim(first))
    .map((arrow) => fault(`${arrowText(arrow)}: a claim is the first action of its row and leads nowhere`, arrow.at));
}

/** An arrow of a rule into a state that does not rest must say when its next check is due. */
function waitsForEver(run: Run): readonly Fault[] {
  const { table, interpreter, rules } = run;
  const rests = new Set(table.rests.map(({ state }) => state));
  return interpreter.arrows
    .filter(
      ({ id, to, look, event }) =>
        !rests.has(to) && !['(deleted)', '(none)'].includes(to) && look === '' && ruled(event) && !isWoken(table, id),
    )
    .map((arrow) =>
      fault(
        `${arrowText(arrow)}: ${arrow.to} waits without a look; give the row one, or say in "Rest" what leads out of ${arrow.to}, or in "Woken" what wakes the row`,
        arrow.at,
        ...rules
          .filter(({ then, in: states }) => then === arrow.event && states.includes(arrow.from))
          .map(({ id }) => ruleAt(run, id)),
      ),
    );
  function ruled(event: string) {
    return !table.elsewhere.some((other) => other.event === event);
  }
}

/** A machine whose initial state is not the one of new instances. */
function beginsElsewhere(run: Run): readonly Fault[] {
  const { table, interpreter, subject } = run;
  const fromCreation = interpreter.arrows
    .filter(({ from, to }) => from === '(none)' && to !== '(none)')
    .map(({ to }) => to);
  const initial = initialOf(run);
  return fromCreation.length === 0 || fromCreation.includes(initial)
    ? []
    : [
        fault(
          `the machine begins in ${initial}, an instance in ${[...new Set(fromCreation)].join(' or ')}`,
          subject.files.machine,
          `${table.file}:${table.absence[0]?.line ?? 1}`,
        ),
      ];
}

/** A deadline that is not one of the limits, which are in ms, s or min. */
const unlimited = ({ table }: Run): readonly Fault[] =>
  table.deadlines
    .filter(
      ({ atMostMs }) => !table.limits.some(({ value }) => [1, 1_000, 60_000].some((unit) => value * unit === atMostMs)),
    )
    .map(({ state, atMostMs, line }) =>
      fault(
        `${state} lasts ${exactDuration(atMostMs)} at most, and no limit of the table says so`,
        `${table.file}:${line}`,
      ),
    );

/** A state with a deadline that only a command leaves. */
const endless = ({ table, interpreter, rules }: Run): readonly Fault[] =>
  table.deadlines
    .filter(
      ({ state }) =>
        !interpreter.arrows.some(
          ({ from, to, event }) =>
            from === state &&
            to !== state &&
            rules.some((rule) => rule.then === event && rule.in.includes(state) && rule.answers === undefined),
        ),
    )
    .map(({ state, line }) => fault(`${state} has a deadline, and no rule leads out of it`, `${table.file}:${line}`));

/** A state that no arrow leaves and that is not marked as resting. */
const sinks = (run: Run): readonly Fault[] =>
  run.states
    .filter((state) => !run.table.rests.some((rest) => rest.state === state))
    .filter((state) => !run.interpreter.arrows.some(({ from, to }) => from === state && to !== state))
    .map((state) =>
      fault(
        `nothing leads out of ${state}, and "Rest" does not name it`,
        sectionAt(run.table, 'Rest'),
        arrowAt(run, state, ''),
      ),
    );
