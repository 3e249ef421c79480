import { Data, type Effect } from 'effect';
import type { KubeObject } from '../crds/kind.ts';
import type { Table } from '../machines/table.ts';
import type { Fact, FactName } from '../rules/fact.ts';
import type { Command, NoAnswer } from './pass/move.ts';
import type { Caches } from './cache/caches.ts';
import type { CacheReader } from './cache/reader.ts';
import type { Cluster, Resource, WriteError } from './services/cluster.ts';
import type { StoreFailed } from './services/objectStore.ts';
import type { PassContext } from './pass/context.ts';
import type { Fields } from './step/mergePatch.ts';
import type { Outside } from './outside.ts';
import type { Others } from './step/standing.ts';
import type { Absence } from '../rules/engine.ts';
import type { Stepper } from './step/step.ts';

/** Something that had to be done before a state may be written could not be done. */
export class ActionFailed extends Data.TaggedError('ActionFailed')<{
  readonly action: string;
  readonly weight: 'waiting' | 'counted' | 'permanent';
  readonly text: string;
}> {}

/** A service that an ensure needs refused, or did not answer. */
export class ServiceFailed extends Data.TaggedError('ServiceFailed')<{ readonly why: string }> {}

export type EnsureError = WriteError | StoreFailed | ServiceFailed;

/** What every lifecycle's facts begin with. */
export interface BaseFacts {
  readonly now: number;
}

/** Why facts are gathered, which is a fact itself. */
export interface Occasion {
  /** The command, with its parameters; null in a pass. */
  readonly asked: unknown;
  /** The state that somebody else wrote, until it is entered; null where the newest move led to it. */
  readonly found: string | null;
}

/** What is known when a lifecycle observes: the clock, where a change found came from, the action that has just failed. */
export interface Moment {
  readonly now: number;
  readonly resetFrom: string | null;
  /** The other machines of the object: those before it in this pass stand where they have come to. */
  readonly others: Others;
  /** This very pass has just claimed: nothing that carries the claimed name can exist yet. */
  readonly claimed?: true;
  /** Nothing stands yet: the object is as somebody asks for it. */
  readonly absent?: true;
  readonly failure: ActionFailed | null;
}

/** What an action may read: the object before the move, the facts of the decision, its words, the time of the move. */
export interface Acting<O, Facts> {
  readonly object: O;
  readonly reader: CacheReader;
  readonly facts: Facts;
  readonly text: string;
  readonly at: string;
}

/** `done` asks for another pass at once, which sees what was done; `waits` looks again by itself. */
export type Ensured =
  { readonly is: 'holds' } | { readonly is: 'done' } | { readonly is: 'waits'; readonly afterMs: number };
export const holds: Ensured = { is: 'holds' };
export const done: Ensured = { is: 'done' };

export interface Ensuring<O> {
  readonly object: O;
  readonly reader: CacheReader;
  /** Whether this very pass moved the machine, or any where the ensure is the kind's, into its state. */
  readonly entered: boolean;
  /** Moves another object, as anybody might ask for it. */
  readonly move: MoveOther;
}

/** One machine of another object: several kinds may have one of the same name. */
export interface OtherMachine {
  readonly kind: string;
  readonly machine: string;
  readonly name: string;
}

/** One command on one machine of another object, as anybody might ask for it. */
export type MoveOther = (
  other: OtherMachine,
  command: Command,
) => Effect.Effect<KubeObject, NoAnswer | WriteError, Cluster>;

export interface Ensure<O> {
  run(given: Ensuring<O>): Effect.Effect<Ensured, EnsureError, Outside>;
  /** How failures are retried: `firstMs`, doubling to `mostMs`. Without it a failure fails the pass. */
  readonly retry?: { readonly firstMs: number; readonly mostMs: number };
  /**
   * What it looks at tells of no change and is not to be asked often: it is run when it asked to be and not by any other
   * pass, the first time of a term within so long, each object at a moment of its own.
   */
  readonly paced?: { firstWithinMs(reader: CacheReader): number };
}

/** One machine of a kind: how its state is kept, which facts it reads, which rules name what happened, what follows. */
export interface Lifecycle<O extends KubeObject, Facts extends BaseFacts, State extends string, Event extends string>
  extends Stepper<Facts, State, Event>, Pick<Table, 'claims' | 'trouble'> {
  /** At most one machine of an object is kept in the object itself, its spec and annotations. */
  readonly kept: 'status' | 'object';

  /** Whether what stands in the way is tried again by itself. */
  retrying(object: O): boolean;

  /** The lens: which state stands there; absence where the first is still to be entered. */
  read(object: O): State | Absence;
  write(to: State): Fields;
  /** The state in the word a person reads. */
  shown(object: O): string;

  /** Facts that cost nothing: the object, and what is cached. The others are `unasked`; the occasion is added to them. */
  observe(object: O, reader: CacheReader, moment: Moment): Omit<Facts, keyof Occasion>;
  ask(fact: FactName<Facts>, object: O, reader: CacheReader): Effect.Effect<Fact<unknown>, never, Outside>;

  /** Per named action: the fields it writes, of the status or as a merge patch of the object, by where it is kept. */
  readonly writes: Readonly<Record<string, (acting: Acting<O, Facts>) => Fields>>;
  /** Per named action: what must be done before the state may be written. */
  readonly acts: Readonly<Record<string, (acting: Acting<O, Facts>) => Effect.Effect<void, ActionFailed, Outside>>>;
  /** Per name of `meta.ensures`: how it is brought about. */
  readonly ensures: Readonly<Record<string, Ensure<O>>>;
}

/** Any lifecycle, for the parts of the runtime that do not care whose it is. */
export type AnyLifecycle = Lifecycle<KubeObject, BaseFacts, string, string>;

/** What else than the object itself makes its controller look: a change of one of these, and whom it concerns. */
export interface Watching<W extends KubeObject = KubeObject> {
  readonly resource: Resource<W>;
  concerns(changed: W, reader: CacheReader): readonly string[];
}

/**
 * What deriving may read beside the object: what is seen, the time, why the ensures of the object last failed, and the
 * action that failed in this pass.
 */
export interface Deriving {
  readonly reader: CacheReader;
  readonly now: string;
  readonly failures: ReadonlyMap<string, { readonly why: string }>;
  readonly failure: ActionFailed | null;
}

/** One kind: its machines in the order they step, what it derives without a machine, what it ensures. */
export interface Controller<O extends KubeObject = KubeObject> {
  readonly resource: Resource<O>;
  /** What it is called in the queue, the log and the metrics, where several share a kind; otherwise as its kind. */
  readonly name?: string;
  /** The names of its own objects, of a kind that others have a part in: looked at whether they are there or not. */
  readonly only?: readonly string[];
  readonly lifecycles: readonly AnyLifecycle[];
  readonly watches: readonly Watching[];
  /** Fields of the status that follow from what is seen: verdicts and references. Recorded with the moves. */
  derive?(object: O, deriving: Deriving): Fields;
  readonly ensures: Readonly<Record<string, Ensure<O>>>;
  /**
   * A finalizer this kind carries: removed once every machine whose table knows an end has come to it, and what else
   * must be done before `holds`.
   */
  readonly finalizer?: { readonly name: string; readonly release?: Ensure<O> };
  /** What is done where no object has the name: it is made, or what came late of an earlier life is taken away. */
  absent?(name: string, context: Pick<PassContext, 'reader' | 'hasEnded'>): Effect.Effect<void, EnsureError, Outside>;
  /** The merge patch that gives an object what an older release, or a hand, left out of it; null when it has all. */
  adopt?(object: O, reader: CacheReader): Fields | null;
  /**
   * Listens from before the first list, whether this process leads or not: for what its passes must know of versions
   * that came and went between them. It ends with the caches.
   */
  readonly follow?: (caches: Caches) => void;
}

export const nameOf = ({ name, resource }: Controller): string => name ?? resource.kind;

/** Whether an object of its kind is its own. */
export const isOwn = ({ only }: Controller, name: string): boolean => only === undefined || only.includes(name);

/** Erases what the runtime need not know of a lifecycle. */
export const lifecycle = <O extends KubeObject, Facts extends BaseFacts, State extends string, Event extends string>(
  of: Lifecycle<O, Facts, State, Event>,
): AnyLifecycle => of as unknown as AnyLifecycle;

export const watching = <W extends KubeObject>(of: Watching<W>): Watching => of;

export const controller = <O extends KubeObject>(of: Controller<O>): Controller => of;
