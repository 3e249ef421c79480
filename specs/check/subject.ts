import type * as fc from 'fast-check';
import type { AnyStateMachine } from 'xstate';
import type { Absence, EventRule } from '../../rules/engine.ts';
import type { Message } from '../../rules/words.ts';
import type { VerdictRule } from '../../rules/verdict.ts';

export type Limits = Readonly<Record<string, number>>;

/** One step of the environment and not of the lifecycle: time passes, a Job ends, a person changes a field. */
export interface Move<World> {
  readonly name: string;
  /** It also happens when nobody interferes, so an undisturbed life waits for it. */
  readonly undisturbed?: true;
  /** The possible next worlds; none if it cannot happen here. */
  on(world: World): readonly World[];
}

/** A property of every life: of each world, of each step, or of the world in which an undisturbed life ends. */
export type Invariant<World> =
  | { readonly always: (world: World) => boolean }
  | { readonly alwaysStep: (before: World, after: World, step: string) => boolean }
  | { readonly never: (world: World) => boolean }
  | { readonly eventually: (world: World) => boolean };

/**
 * A model of one lifecycle and its environment: what is stored, what others do to it, what its named actions change. A
 * world is one state of the model: plain JSON data that is never changed in place. The checker explores the worlds with
 * the real rules and the real machine.
 */
export interface Model<World, Facts, State extends string> {
  readonly start: readonly World[];
  state(world: World): State | Absence | '(deleted)';
  /** The same world in another state. */
  enter(world: World, state: State | Absence | '(deleted)'): World;
  /** The facts that a pass would observe. */
  facts(world: World): Facts;
  /** The effect of each named action. */
  readonly does: Readonly<Record<string, (world: World, facts: Facts) => World>>;
  /** The effect of each ensure, after the state was entered. */
  readonly ensures?: Readonly<Record<string, (world: World) => World>>;
  readonly moves: readonly Move<World>[];
  /**
   * Commands that may arrive in any world, with the value of the fact `asked`; other commands are part of the worlds.
   */
  readonly commands?: Readonly<Record<string, unknown>>;
  /** Whether a command or an outside event may occur in this world; in every world by default. */
  asks?(world: World, named: string): boolean;
  /** The bound of the exhaustive search: a world outside it is checked but not explored further. */
  within(world: World): boolean;
  readonly invariants: Readonly<Record<string, Invariant<World>>>;
}

/** A verdict table in the code, checked against the table with the same heading in the Markdown file. */
export interface VerdictSubject<Facts> {
  readonly table: readonly VerdictRule<Facts, Message | string>[];
  /** File and exported name of the rules. */
  readonly file: string;
  readonly facts: fc.Arbitrary<Facts>;
  /** The documents written down a second time, independently of the rules: the id of the row that holds. */
  documents(facts: Facts): string;
}

/** Everything the check of one lifecycle needs. Its table is `specs/tables/<name>.md`. */
export interface Subject<Facts, State extends string, Event extends string, World> {
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly rules: readonly EventRule<Facts, State | Absence, Event>[];
  readonly files: { readonly machine: string; readonly rules: string };
  /** The numbers that the rules compare with, and a way to make the rules with other ones. */
  readonly limits?: {
    readonly values: Limits;
    /** Limits that no condition compares with: they set the next check, or an action stores them. */
    readonly elsewhere?: readonly string[];
    rules(values: Limits): readonly EventRule<Facts, State | Absence, Event>[];
  };
  /** Actions with effects outside the place where the state is stored; commands and findings perform none of them. */
  readonly acts?: readonly string[];
  /** True while no controller observes these facts. */
  readonly provisional: boolean;
  /** Known facts, which cover every boundary of the rules. */
  readonly facts: fc.Arbitrary<Facts>;
  /** Facts of which some are unasked or unknown, with invalid values. */
  readonly invalid: fc.Arbitrary<Facts>;
  /**
   * The documents written down a second time, independently of the rules: the event that happened, or null for none.
   */
  documents(state: State | Absence, facts: Facts): Event | null;
  readonly verdicts?: Readonly<Record<string, VerdictSubject<never>>>;
  readonly model: Model<World, Facts, State>;
}

/** Any lifecycle, for the parts of the checker that work on all of them. */
export type AnySubject = Subject<unknown, string, string, unknown>;

/** Erases the types that the checker does not need. */
export const subject = <Facts, State extends string, Event extends string, World>(
  of: Subject<Facts, State, Event, World>,
): AnySubject => of as unknown as AnySubject;

export const verdictSubject = <Facts>(of: VerdictSubject<Facts>): VerdictSubject<never> =>
  of as unknown as VerdictSubject<never>;
