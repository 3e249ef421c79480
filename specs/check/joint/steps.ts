import { decide } from '../../../rules/engine.ts';
import type { Counts } from '../../../rules/verdict.ts';
import type { Arrow } from '../../tables/arrows.ts';
import { tableOf } from '../check.ts';
import type { Fault } from '../outcome.ts';
import { arrowAt, runOf, type Run } from '../run.ts';
import type { Taken } from '../world.ts';
import type { AnyJoint, Deciding, Failed, Others, Part } from './joint.ts';

export type AnyPart = Part<unknown>;

/** Only the values: all worlds of one life have the same fields in the same order. */
export function keyOf(world: unknown): string {
  if (typeof world !== 'object' || world === null) return String(world);
  let key = '';
  for (const value of Object.values(world)) key += `${keyOf(value)} `;
  return key;
}
const isSame = (one: unknown, other: unknown) => one === other || keyOf(one) === keyOf(other);

/** One machine prepared for the search. */
interface Ready {
  readonly part: AnyPart;
  readonly run: Run;
}

/** The decision of one machine, and what follows from it. */
interface Decided {
  readonly ready: Ready;
  readonly rule: string;
  readonly arrow: Arrow;
  readonly facts: object;
  readonly finds: boolean;
}

const gone = '(deleted)';
const nameOf = ({ run }: Ready) => run.subject.name;
const weights: readonly Counts[] = ['waiting', 'counted', 'permanent'];

const readied = (parts: readonly AnyPart[]): readonly Ready[] =>
  parts.map((part) => ({
    part,
    run: runOf({
      subject: part.subject,
      table: tableOf(part.subject.name),
      places: { arrows: {}, rules: {} },
      seed: 0,
    }),
  }));

/** The step of one machine over some facts; null if nothing happened. */
function decidedBy(ready: Ready, world: unknown, deciding: Deciding): Decided | null {
  const { part, run } = ready;
  const state = part.read(world);
  if (state === gone) return null;
  const facts = { ...part.facts(world, deciding), ...deciding.command };
  const decision = decide(run.rulesByState, state, facts);
  if (decision.is === 'ask' || decision.is === 'unknown')
    throw new Error(`${nameOf(ready)}: the joint world does not tell ${String(decision.fact)}`);
  if (decision.is === 'nothing') return null;
  const { id, then, finds } = decision.rule;
  const arrow = run.interpreter.next(state, then);
  if (!arrow) throw new Error(`${nameOf(ready)}: no row leads from ${state} by ${then}`);
  return { ready, rule: id, arrow, facts, finds: finds === true };
}

/** The decisions of all machines in one pass; each knows the new states of those before it. */
function decidedInPass(machines: readonly Ready[], world: unknown, failure: Failed | null): readonly Decided[] {
  const others: Record<string, Others[string]> = {};
  return machines.flatMap((ready) => {
    const decided = decidedBy(ready, world, { others, failure, command: null });
    others[nameOf(ready)] = {
      state: decided?.arrow.to ?? ready.part.read(world),
      event: decided?.arrow.event ?? null,
    };
    return decided ?? [];
  });
}

const isAct = ({ part }: Ready, action: string) => part.subject.acts?.includes(action) === true;
const hasAct = ({ ready, arrow }: Decided) => arrow.does.some((action) => isAct(ready, action));

/** The world after some of the actions of a decision. */
const done = (world: unknown, { ready, arrow, facts }: Decided, which: (action: string) => boolean): unknown =>
  arrow.does.filter(which).reduce((next, action) => ready.part.does[action]?.(next, facts as never) ?? next, world);

const acted = (world: unknown, decided: readonly Decided[]): unknown =>
  decided.reduce((next, each) => done(next, each, (action) => isAct(each.ready, action)), world);

const wrote = (world: unknown, decided: readonly Decided[]): unknown =>
  decided.reduce((next, each) => done(next, each, (action) => !isAct(each.ready, action)), world);

/** Records the moves, then brings about what the new states ensure. */
function recorded(machines: readonly Ready[], world: unknown, decided: readonly Decided[]): unknown {
  const written = decided.reduce((next, { ready, arrow }) => ready.part.enter(next, arrow.to), wrote(world, decided));
  return ensured(machines, written);
}

function ensured(machines: readonly Ready[], world: unknown): unknown {
  return machines.reduce((next, { part, run }) => {
    const state = part.read(next);
    const names = run.machine.states[state] ? run.ensures(state) : [];
    return names.reduce((after, name) => part.ensures?.[name]?.(after) ?? after, next);
  }, world);
}

/**
 * The faults in the step of one machine: table and machine disagree, an action is unknown, or the lens reads another
 * state.
 */
function faultsOf({ ready, arrow }: Decided, after: unknown): readonly Fault[] {
  const { part, run } = ready;
  const taken = run.step(arrow.from, arrow.event);
  const parted =
    !arrow.absent && (taken === null || taken.to !== arrow.to || taken.actions.join() !== arrow.does.join());
  const unknown = arrow.does.filter((action) => !(action in part.does));
  const read = part.read(after);
  const at = [arrow.at, arrowAt(run, arrow.from, arrow.event)];
  return [
    ...(parted ? [`${arrow.from} ${arrow.event}: machine and table part`] : []),
    ...unknown.map((action) => `the joint world does not know the action ${action}`),
    ...(read === arrow.to ? [] : [`${arrow.id} leads to ${arrow.to}, and what is stored then reads ${read}`]),
  ].map((text) => ({ check: 'walks', at, text: `${run.subject.name}: ${text}` }) as const);
}

const told = (decided: readonly Decided[]) =>
  decided.map(({ ready, rule, arrow }) => `${nameOf(ready)} ${rule} → ${arrow.event}`).join(', ') || 'nothing';

/** The outcomes of one pass: complete, interrupted before it is recorded, or with an action that fails. */
function passesOf(machines: readonly Ready[], world: unknown, walked: Set<string>): readonly Taken[] {
  const decided = decidedInPass(machines, world, null);
  for (const { arrow } of decided) walked.add(arrow.id);
  const outside = acted(world, decided);
  const after = recorded(machines, outside, decided);
  const faults = decided.flatMap((each) => faultsOf(each, after));
  const step = (label: string, next: unknown, undisturbed: boolean): Taken => ({
    label,
    world: next,
    row: null,
    undisturbed,
    faults,
  });
  const passes = [step(`pass: ${told(decided)}`, after, true)];
  const patched = wrote(
    outside,
    decided.filter(({ ready }) => ready.part.kept === 'object'),
  );
  const cut = [...new Set([outside, patched])]
    .filter((at) => !isSame(at, world))
    .map((at) => step(`cut off: ${told(decided)}`, at, false));
  if (!decided.some(hasAct)) return [...passes, ...cut];
  const failed = weights.map((counts) => {
    const again = decidedInPass(machines, world, { counts, why: `it failed, ${counts}` }).filter(
      (each) => !hasAct(each),
    );
    return step(`failed (${counts}): ${told(again)}`, recorded(machines, world, again), false);
  });
  return [...passes, ...cut, ...failed];
}

/**
 * The effect of a command: an external change is entered first, then one machine answers; the others step in a pass.
 */
function answersTo(
  { commands, parts }: AnyJoint,
  machines: readonly Ready[],
  world: unknown,
  walked: Set<string>,
): readonly Taken[] {
  return Object.entries(commands).flatMap(([name, { machine, facts }]): readonly Taken[] => {
    const ready = machines.find((each) => nameOf(each) === machine);
    if (!ready) throw new Error(`${name} is asked of ${machine}, which is none of ${parts.length} machines`);
    let at = world;
    for (;;) {
      const decided = decidedBy(ready, at, { others: {}, failure: null, command: facts });
      if (decided === null) return [];
      walked.add(decided.arrow.id);
      // The next pass brings about what the state ensures.
      const patched = wrote(acted(at, [decided]), [decided]);
      const after = ready.part.enter(patched, decided.arrow.to);
      if (!decided.finds) {
        const label = `asked: ${name} → ${decided.arrow.event}`;
        const whole = { label, world: after, row: null, undisturbed: false, faults: faultsOf(decided, after) };
        return isSame(patched, after)
          ? [whole]
          : [whole, { ...whole, label: `${label}, cut off`, world: patched, faults: [] }];
      }
      at = after;
    }
  });
}

/** A joint world prepared for the search. */
export interface JointSpace {
  /** Every possible step of a world: those of its machines, commands, and changes from outside. */
  steps(world: unknown): readonly Taken[];
  /** The row after which another pass follows at once; undefined if none does. */
  requeuesNow(world: unknown): string | undefined;
  /** The rows that passes and commands took. */
  readonly walked: ReadonlySet<string>;
}

export function jointSpace(of: AnyJoint): JointSpace {
  const machines = readied(of.parts);
  const walked = new Set<string>();
  const movesOf = (world: unknown) =>
    of.moves.flatMap((move) =>
      move.on(world).map((next): Taken => ({
        label: `world: ${move.name}`,
        world: next,
        row: null,
        undisturbed: move.undisturbed === true,
        faults: [],
      })),
    );
  return {
    walked,
    steps: (world) =>
      [
        ...passesOf(machines, world, walked),
        ...(of.isThere(world) ? answersTo(of, machines, world, walked) : []),
        ...movesOf(world),
      ].map((taken) => ({ ...taken, world: of.plainest(taken.world) })),
    requeuesNow: (world) => decidedInPass(machines, world, null).find(({ arrow }) => arrow.look === 'now')?.arrow.id,
  };
}
