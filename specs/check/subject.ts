import type * as fc from 'fast-check';
import type { AnyStateMachine } from 'xstate';
import type { Absence, EventRule } from '../../rules/engine.ts';
import type { Said } from '../../rules/words.ts';
import type { VerdictRule } from '../../rules/verdict.ts';

export type Limits = Readonly<Record<string, number>>;

/** One step of the world that is not the lifecycle's own: time passes, a Job ends, a person changes a field. */
export interface Move<World> {
  readonly name: string;
  /** It happens even when nobody interferes, so that a life may be waited out with it. */
  readonly calm?: true;
  /** The worlds it may lead to; none when it cannot happen here. */
  on(world: World): readonly World[];
}

/** A statement over every life: of each world, of each step, or of the world a life comes to when left alone. */
export type Invariant<World> =
  | { readonly always: (world: World) => boolean }
  | { readonly alwaysStep: (before: World, after: World, step: string) => boolean }
  | { readonly never: (world: World) => boolean }
  | { readonly eventually: (world: World) => boolean };

/**
 * A small world around one lifecycle: what is stored, what others do to it, what its named actions change. Worlds are
 * plain JSON data and never changed in place. The checker walks it with the real rules and the real machine.
 */
export interface Model<World, Facts, State extends string> {
  readonly start: readonly World[];
  state(world: World): State | Absence | '(deleted)';
  /** The same world with another state. */
  enter(world: World, state: State | Absence | '(deleted)'): World;
  /** What a pass would observe. */
  facts(world: World): Facts;
  /** What each named action changes. */
  readonly does: Readonly<Record<string, (world: World, facts: Facts) => World>>;
  /** What each ensure brings about, after the state was entered. */
  readonly ensures?: Readonly<Record<string, (world: World) => World>>;
  readonly moves: readonly Move<World>[];
  /** Commands that may come in any world, with the value that the fact `asked` has then; others stand in the worlds. */
  readonly commands?: Readonly<Record<string, unknown>>;
  /** Whether a command, or an event from elsewhere, may come in this world; without it, in every world. */
  asks?(world: World, named: string): boolean;
  /** The bound of the exhaustive search: a world outside it is checked and not gone on from. */
  within(world: World): boolean;
  readonly invariants: Readonly<Record<string, Invariant<World>>>;
}

/** A verdict table, held to its table in the Markdown file that has the same heading. */
export interface VerdictSubject<Facts> {
  readonly table: readonly VerdictRule<Facts, Said | string>[];
  /** File and exported name of the rules. */
  readonly file: string;
  readonly facts: fc.Arbitrary<Facts>;
  /** The documents once more, written without a look at the rules: the id of the row that holds. */
  documents(facts: Facts): string;
}

/** One lifecycle, everything its check needs. The table is `specs/tables/<name>.md`. */
export interface Subject<Facts, State extends string, Event extends string, World> {
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly rules: readonly EventRule<Facts, State | Absence, Event>[];
  readonly files: { readonly machine: string; readonly rules: string };
  /** The numbers the rules compare with, and the rules made with others. */
  readonly limits?: {
    readonly values: Limits;
    /** Those that no condition compares with: they say when to look again, or are stored by an action. */
    readonly elsewhere?: readonly string[];
    rules(values: Limits): readonly EventRule<Facts, State | Absence, Event>[];
  };
  /** Actions that change what stands outside of where the state is kept; what answers or finds does none of them. */
  readonly acts?: readonly string[];
  /** True while no controller gathers these facts. */
  readonly provisional: boolean;
  /** Facts that are all known; meets every edge that the rules know. */
  readonly facts: fc.Arbitrary<Facts>;
  /** Facts of which some are unasked or unknown, with values nobody should send. */
  readonly hostile: fc.Arbitrary<Facts>;
  /** The documents once more, written without a look at the rules: what happened, or null for nothing. */
  documents(state: State | Absence, facts: Facts): Event | null;
  readonly verdicts?: Readonly<Record<string, VerdictSubject<never>>>;
  readonly model: Model<World, Facts, State>;
}

/** Any lifecycle, for the parts of the checker that do not care whose it is. */
export type AnySubject = Subject<unknown, string, string, unknown>;

/** Erases what the checker need not know of a lifecycle. */
export const subject = <Facts, State extends string, Event extends string, World>(
  of: Subject<Facts, State, Event, World>,
): AnySubject => of as unknown as AnySubject;

export const verdictSubject = <Facts>(of: VerdictSubject<Facts>): VerdictSubject<never> =>
  of as unknown as VerdictSubject<never>;
