import { decide } from '../../rules/engine.ts';
import type { Arrow } from '../tables/arrows.ts';
import { sectionAt } from '../tables/parse.ts';
import { modelPlace } from './modelPlace.ts';
import type { Fault } from './outcome.ts';
import { arrowAt, type Run } from './run.ts';
import type { Model } from './subject.ts';

export type AnyModel = Model<unknown, unknown, string>;

/** One possible step of a world, and the next world. */
export interface Taken {
  /** The label for readers, by which a replay finds the step. */
  readonly label: string;
  readonly world: unknown;
  /** The row of the table, for a step of the lifecycle itself. */
  readonly row: string | null;
  /** It also happens when nobody interferes. */
  readonly undisturbed: boolean;
  readonly faults: readonly Fault[];
}

export const keyOf = (world: unknown): string => JSON.stringify(world);

export const modelOf = ({ subject }: Run): AnyModel => subject.model;

/**
 * Every possible step of a world: the lifecycle's own pass, a command, an outside event, a change of the environment.
 */
export function stepsOf(run: Run, world: unknown): readonly Taken[] {
  const model = modelOf(run);
  const state = model.state(world);
  const pass = passOf(run, world);
  const mayCome = (named: string) => model.asks?.(world, named) ?? true;
  const asked = Object.keys(model.commands ?? {})
    .filter(mayCome)
    .flatMap((command) => answerOf(run, world, command));
  const elsewhere = run.table.elsewhere
    .filter(({ event }) => run.interpreter.next(state, event) !== undefined || run.step(state, event) !== null)
    .filter(({ event }) => mayCome(event))
    .flatMap(({ event }) =>
      applied(run, world, { event, label: `elsewhere: ${event}`, undisturbed: false, facts: () => model.facts(world) }),
    );
  const moves = model.moves.flatMap((move) =>
    move.on(world).map((next, index): Taken => ({
      label: `world: ${move.name}${index === 0 ? '' : ` (${index + 1})`}`,
      world: next,
      row: null,
      undisturbed: move.undisturbed === true,
      faults: [],
    })),
  );
  return [...pass, ...asked, ...elsewhere, ...moves];
}

/** One pass: the first rule that holds names the event, then table and machine determine what follows. */
export function passOf(run: Run, world: unknown): readonly Taken[] {
  const model = modelOf(run);
  const facts = model.facts(world);
  const decision = decide(run.rulesByState, model.state(world), facts);
  if (decision.is !== 'event') return [];
  const { id, then: event } = decision.rule;
  return applied(run, world, { event, label: `pass: ${id} → ${event}`, undisturbed: true, facts: () => facts });
}

/** The effect of a command: an external change is entered first if there is one, otherwise the command is answered. */
function answerOf(run: Run, world: unknown, command: string): readonly Taken[] {
  const model = modelOf(run);
  const facts = { ...(model.facts(world) as object), asked: model.commands?.[command] };
  const decision = decide(run.rulesByState, model.state(world), facts);
  if (decision.is !== 'event') return [];
  const { then: event } = decision.rule;
  const label = `asked: ${command} → ${event}`;
  return applied(run, world, { event, label, undisturbed: false, facts: () => facts });
}

interface Happening {
  readonly event: string;
  readonly label: string;
  readonly undisturbed: boolean;
  readonly facts: () => unknown;
}

/** Follows one event with the table's interpreter and with the machine, which must agree. */
function applied(run: Run, world: unknown, { event, label, undisturbed, facts: factsOf }: Happening): readonly Taken[] {
  const model = modelOf(run);
  const { arrow, faults } = followed(run, model.state(world), event);
  if (!arrow) return faults.length === 0 ? [] : [{ label, world, row: null, undisturbed, faults }];
  let next = world;
  if (arrow.does.length > 0) {
    const facts = factsOf();
    for (const action of arrow.does) next = model.does[action]?.(next, facts) ?? next;
  }
  next = model.enter(next, arrow.to);
  for (const ensure of arrow.ensures) next = model.ensures?.[ensure]?.(next) ?? next;
  return [{ label, world: next, row: arrow.id, undisturbed, faults }];
}

/** What follows an event in a state, and where table, machine and model disagree about it. */
interface Followed {
  readonly arrow: Arrow | undefined;
  readonly faults: readonly Fault[];
}

const memories = new WeakMap<Run, Map<string, Followed>>();

/** The result is the same for every world in the state, so it is computed once. */
function followed(run: Run, from: string, event: string): Followed {
  const memory = memories.get(run) ?? new Map<string, Followed>();
  memories.set(run, memory);
  const key = `${from} ${event}`;
  const known = memory.get(key);
  if (known) return known;
  const arrow = run.interpreter.next(from, event);
  const found = { arrow, faults: disagreements(run, from, event, arrow) };
  memory.set(key, found);
  return found;
}

function disagreements(run: Run, from: string, event: string, arrow: Arrow | undefined): readonly Fault[] {
  const taken = run.step(from, event);
  const model = modelOf(run);
  const unknown = arrow?.does.filter((action) => !(action in model.does)) ?? [];
  const parted = arrow?.absent !== true && !sameStep(arrow, taken);
  return [
    ...(parted
      ? [
          {
            check: 'walks',
            at: [arrow?.at ?? sectionAt(run.table, 'Arrows'), arrowAt(run, from, event)],
            text: `${from} ${event}: the table leads to ${toldStep(arrow && { to: arrow.to, actions: arrow.does })}, the machine to ${toldStep(taken)}`,
          } as const,
        ]
      : []),
    ...unknown.map((action) => ({
      check: 'walks' as const,
      at: [arrow?.at ?? sectionAt(run.table, 'Arrows'), modelPlace(run.subject.name, 'does', action)],
      text: `the model does not know the action ${action}`,
    })),
  ];
}

interface Stepped {
  readonly to: string;
  readonly actions: readonly string[];
}
const toldStep = (step: Stepped | null | undefined) =>
  step ? `${step.to}${step.actions.length === 0 ? '' : ` doing ${step.actions.join(', ')}`}` : 'nothing';
const sameStep = (arrow: Arrow | undefined, taken: Stepped | null) =>
  arrow === undefined
    ? taken === null
    : taken !== null && taken.to === arrow.to && taken.actions.join() === arrow.does.join();
