import { Data, type Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Table } from '../../machines/table.ts';
import type { Fact, FactName } from '../../rules/fact.ts';
import type { Command, NoAnswer } from '../command/move.ts';
import type { Caches } from '../cache/caches.ts';
import type { AnyEntries } from '../step/entries.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Cluster, Resource, WriteError } from '../services/cluster/cluster.ts';
import type { CloudFailed } from '../services/cloud.ts';
import type { StoreFailed } from '../services/objectStore.ts';
import type { PassContext } from './context.ts';
import type { Fields } from '../step/mergePatch.ts';
import type { Outside } from '../services/outside.ts';
import type { Others } from '../step/standing.ts';
import type { Absence } from '../../rules/engine.ts';
import type { Stepper } from '../step/step.ts';

/** An action that must precede the write of a state failed. */
export class ActionFailed extends Data.TaggedError('ActionFailed')<{
  readonly action: string;
  readonly weight: 'waiting' | 'counted' | 'permanent';
  readonly text: string;
}> {}

/** A service that an ensure needs refused the request, or did not answer. */
export class ServiceFailed extends Data.TaggedError('ServiceFailed')<{ readonly why: string }> {}

export type EnsureError = WriteError | StoreFailed | CloudFailed | ServiceFailed;

/** The facts that every lifecycle has. */
export interface BaseFacts {
  readonly now: number;
}

/** Why facts are gathered, which is a fact itself. */
export interface Occasion {
  /** The command, with its parameters; null in a pass. */
  readonly asked: unknown;
  /** The state that somebody else wrote, until it is entered in the history; null where the newest move led to it. */
  readonly found: string | null;
}

/**
 * What is known when a lifecycle observes: the clock, where an external change came from, the action that has just
 * failed.
 */
export interface Moment {
  readonly now: number;
  /** The same by the monotonic clock (ms), in a pass: what has to last for a time is counted by it. */
  readonly monotonic?: number;
  readonly resetFrom: string | null;
  /** The other machines of the object; those before it in this pass are in the state they have just reached. */
  readonly others: Others;
  /** This very pass has just claimed, so nothing with the claimed name can exist yet. */
  readonly claimed?: true;
  /** Nothing exists yet: the object is as requested. */
  readonly absent?: true;
  /** The command, with its parameters; none in a pass. */
  readonly asked?: unknown;
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

/** The same where the fields of an action are written, with what its move and the actions before it have written. */
export interface Writing<O, Facts> extends Acting<O, Facts> {
  readonly moved: O;
}

/** `done` asks for another pass at once, which sees the effect; `waits` requeues. */
export type Ensured =
  { readonly is: 'holds' } | { readonly is: 'done' } | { readonly is: 'waits'; readonly afterMs: number };
export const holds: Ensured = { is: 'holds' };
export const done: Ensured = { is: 'done' };

export interface Ensuring<O> {
  readonly object: O;
  readonly reader: CacheReader;
  /** Whether this very pass moved the machine into its state from another; for an ensure of the kind, any machine. */
  readonly entered: boolean;
  /** Moves another object by a command, as any client might. */
  readonly move: MoveOther;
  readonly add: AddOther;
}

/** One machine of another object, named with its kind because several kinds may have a machine of the same name. */
export interface OtherMachine {
  readonly kind: string;
  readonly machine: string;
  readonly name: string;
  /** The entry that the machine is over, where its instances are entries of a list. */
  readonly item?: string;
}

/** Runs one command on one machine of another object, as any client might. */
export type MoveOther = (
  other: OtherMachine,
  command: Command,
) => Effect.Effect<KubeObject, NoAnswer | WriteError, Outside>;

/** Creates one object of another kind, as any client might; the caches show it at once, and its own passes begin. */
export type AddOther = <O extends KubeObject>(
  resource: Resource<O>,
  object: O,
) => Effect.Effect<O, WriteError, Cluster>;

export interface Ensure<O> {
  run(given: Ensuring<O>): Effect.Effect<Ensured, EnsureError, Outside>;
  /** How failures are retried: `firstMs`, doubling to `mostMs`. Without it a failure fails the pass. */
  readonly retry?: { readonly firstMs: number; readonly mostMs: number };
  /**
   * For an ensure that reads what sends no changes and must not be asked often: it runs when it has requested it and in
   * no other pass, for the first time of a leadership within this time, each object at a moment of its own. Where it does
   * not apply it neither runs nor requeues.
   */
  readonly paced?: {
    applies(object: O): boolean;
    firstWithinMs(reader: CacheReader): number;
  };
}

/** An entry of a list in the status, which has a machine of its own: how its fields are found in the status. */
export interface Item {
  readonly key: string;
  /** Fields of the status after fields of the entry are set. */
  placed(object: KubeObject, fields: Fields): Fields;
  /** Fields of the status without the entry, and without what asks for it. */
  removed(object: KubeObject): Fields;
  isIn(object: KubeObject): boolean;
  /** Whether the object has the entry, or it is still to be made. */
  isWanted(object: KubeObject): boolean;
  /** Whether an entry in a state moves no more. */
  isOverIn(state: string): boolean;
}

/** What identifies a machine among those of its object. */
export const machineKey = ({ name, item }: Pick<AnyLifecycle, 'name' | 'item'>): string =>
  item === undefined ? name : `${name} ${item.key}`;

/** One machine of a kind: how its state is kept, which facts it reads, which rules name the event, and what follows. */
export interface Lifecycle<O extends KubeObject, Facts extends BaseFacts, State extends string, Event extends string>
  extends Stepper<Facts, State, Event>, Pick<Table, 'claims' | 'trouble'> {
  /** At most one machine of an object is kept in the object itself, in its spec and annotations. */
  readonly kept: 'status' | 'object';
  /** For a kind without a finalizer: the pass that reaches the end of the table removes the object. */
  readonly removes?: true;
  /** The entry of a list that it is the machine of; absent where it is of the object itself. */
  readonly item?: Item;

  /** Whether an object takes part in it, for lists and pages; every object of the kind, unless it says otherwise. */
  concerns?(object: O): boolean;

  /** Whether the current obstacle is retried automatically. */
  retrying(object: O): boolean;

  /** The lens: which state the object is in; absence where the first state is still to be entered. */
  read(object: O): State | Absence;
  /** The object as it is, for a state that shares its field with others. */
  write(to: State, object: O): Fields;
  /** The state in the word that a person reads. */
  shown(object: O): string;

  /**
   * Facts that cost nothing: the object and what is cached. The others are `unasked`; the occasion is added by the
   * caller.
   */
  observe(object: O, reader: CacheReader, moment: Moment): Omit<Facts, keyof Occasion>;
  ask(fact: FactName<Facts>, object: O, reader: CacheReader): Effect.Effect<Fact<unknown>, never, Outside>;
  /** Drops what it remembers of the object that had this name, and is gone. */
  readonly forget?: (name: string) => void;

  /**
   * For each named action, the fields it writes: of the status, or as a merge patch of the object, depending on `kept`.
   */
  readonly writes: Readonly<Record<string, (writing: Writing<O, Facts>) => Fields>>;
  /** For each named action, what must be done before the state may be written. */
  readonly acts: Readonly<Record<string, (acting: Acting<O, Facts>) => Effect.Effect<void, ActionFailed, Outside>>>;
  /** For each name in `meta.ensures`, how it is fulfilled. */
  readonly ensures: Readonly<Record<string, Ensure<O>>>;
}

/** Any lifecycle, for the parts of the runtime that are the same for every kind. */
export type AnyLifecycle = Lifecycle<KubeObject, BaseFacts, string, string>;

/** What besides the object itself triggers its controller: a change of this resource, and which objects it concerns. */
export interface Watching<W extends KubeObject = KubeObject> {
  readonly resource: Resource<W>;
  /** What the passes read of it: where that is deeply equal before and after a change, nobody is concerned. */
  reads(watched: NoInfer<W>): unknown;
  /** Names of the objects, found by an index; a change concerns those of the object before it, too. */
  concerns(changed: W, reader: CacheReader): readonly string[];
}

/**
 * What deriving may read besides the object: the caches, the time, why the ensures of the object last failed, and the
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
  /** Its name in the queue, the log and the metrics where several controllers share a kind; the kind by default. */
  readonly name?: string;
  /** The names of its own objects, where it shares a kind with others; each is processed whether it exists or not. */
  readonly only?: readonly string[];
  /** Which names are its own, where controllers divide a kind by name; each object is then of one of them alone. */
  readonly owns?: (name: string) => boolean;
  readonly lifecycles: readonly AnyLifecycle[];
  /** Its lists whose entries have machines of their own; these step after those of the object. */
  readonly entries?: readonly AnyEntries[];
  readonly watches: readonly Watching[];
  /** Fields of the status that follow from what is observed: verdicts and references. Recorded with the moves. */
  derive?(object: O, deriving: Deriving): Fields;
  readonly ensures: Readonly<Record<string, Ensure<O>>>;
  /**
   * A finalizer that this kind carries: removed once every machine whose table has an end has reached it, and `release`
   * holds. With `isWanted` only those objects carry it of which that says so; without it every one does. What carries it
   * loses it, before or during its deletion, where `isGivenUp` says so.
   */
  readonly finalizer?: {
    readonly name: string;
    readonly release?: Ensure<O>;
    isWanted?(object: O, reader: CacheReader): boolean;
    isGivenUp?(reader: CacheReader): boolean;
  };
  /** What is done when no object has the name: it is created, or late leftovers of an earlier life are removed. */
  absent?(name: string, context: Pick<PassContext, 'reader' | 'hasEnded'>): Effect.Effect<void, EnsureError, Outside>;
  /**
   * The merge patch that adds what an older release or a manual edit left out of an object; null when nothing is
   * missing.
   */
  adopt?(object: O, reader: CacheReader, now: number): Fields | null;
  /** Called with what asks for a pass over an object that has not changed: something outside has news of it. */
  readonly asks?: (ask: (name: string) => void) => void;
  /**
   * Subscribes before the first list, whether this process leads or not, so that its passes know of versions that came
   * and went between them. It ends with the caches.
   */
  readonly follow?: (caches: Caches) => void;
}

export const nameOf = ({ name, resource }: Controller): string => name ?? resource.kind;

/** Whether an object of its kind belongs to it. */
export const isOwn = ({ only, owns }: Controller, name: string): boolean =>
  only === undefined ? (owns?.(name) ?? true) : only.includes(name);

/** Those of the objects of a kind that belong to a controller. */
export const ownAmong = <O extends KubeObject>(controller: Controller, objects: readonly O[]): readonly O[] =>
  controller.only === undefined && controller.owns === undefined
    ? objects
    : objects.filter(({ metadata }) => isOwn(controller, metadata.name));

/** Erases the types of a lifecycle that the runtime need not know. */
export const lifecycle = <O extends KubeObject, Facts extends BaseFacts, State extends string, Event extends string>(
  of: Lifecycle<O, Facts, State, Event>,
): AnyLifecycle => of as unknown as AnyLifecycle;

export const watching = <W extends KubeObject>(of: Watching<W>): Watching => of;

/** A resource that passes read, and whose changes ask for none. */
export const cachedOnly = <W extends KubeObject>(resource: Resource<W>): Watching =>
  watching<W>({ resource, reads: () => null, concerns: () => [] });

export const controller = <O extends KubeObject>(of: Controller<O>): Controller => of;
