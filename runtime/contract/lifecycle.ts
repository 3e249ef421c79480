import { Data, type Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Table } from '../../machines/table.ts';
import type { Fact, FactName } from '../../rules/fact.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Outside } from '../services/outside.ts';
import type { Absence } from '../../rules/engine.ts';
import type { Ensure } from './ensure.ts';
import type { Stepper } from './stepper.ts';

/** An action that must precede the write of a state failed. */
export class ActionFailed extends Data.TaggedError('ActionFailed')<{
  readonly action: string;
  readonly retry: 'waiting' | 'counted' | 'permanent';
  readonly message: string;
}> {}

/** The facts that every lifecycle has. */
export interface BaseFacts {
  readonly now: number;
}

/** Why facts are gathered, which is a fact itself. */
export interface Trigger {
  /** The command, with its parameters; null in a pass. */
  readonly asked: unknown;
  /** The state that somebody else wrote, until it is entered in the history; null where the newest move led to it. */
  readonly found: string | null;
}

/**
 * What is known when a lifecycle observes: the clock, where an external change came from, the action that has just
 * failed.
 */
export interface ReconcileInput {
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

/** The input of a reconcile in which nothing has happened yet, with what is known besides. */
export const reconcileInput = <Known extends Partial<ReconcileInput> & Pick<ReconcileInput, 'now'>>(known: Known) => ({
  resetFrom: null,
  others: {},
  failure: null,
  ...known,
});

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

/** One named action of a machine; one without either is a name in the table and no more. */
export interface Action<O, Facts, Patch = Fields> {
  /** The fields it writes: of the status, or as a merge patch of the object, depending on `kept`. */
  readonly patch?: (writing: Writing<O, Facts>) => Patch;
  /** What must be done before the state may be written. */
  readonly effect?: (acting: Acting<O, Facts>) => Effect.Effect<void, ActionFailed, Outside>;
}

export type Actions<Name extends string, O, Facts, Patch = Fields> = Readonly<Record<Name, Action<O, Facts, Patch>>>;

/** Actions that write fields and do nothing else. */
export const patching = <Name extends string, Acts extends object, Patch>(
  patches: Readonly<Record<Name, (writing: Acts) => Patch>>,
): Readonly<Record<Name, { readonly patch: (writing: Acts) => Patch }>> => {
  const named = Object.entries<(writing: Acts) => Patch>(patches).map(([name, patch]) => [name, { patch }] as const);
  return Object.fromEntries(named) as Record<Name, { readonly patch: (writing: Acts) => Patch }>;
};

/** An entry of a list in the status, which has a machine of its own: how its fields are found in the status. */
interface Item {
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
  readonly storage: 'status' | 'object';
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
   * Facts that cost nothing: the object and what is cached. The others are `unasked`; the trigger is added by the
   * caller.
   */
  observe(object: O, reader: CacheReader, moment: ReconcileInput): Omit<Facts, keyof Trigger>;
  ask(fact: FactName<Facts>, object: O, reader: CacheReader): Effect.Effect<Fact<unknown>, never, Outside>;
  /** Drops what it remembers of the object that had this name, and is gone. */
  readonly forget?: (name: string) => void;

  readonly actions: Actions<string, O, Facts>;
  /** For each name in `meta.ensures`, how it is fulfilled. */
  readonly ensures: Readonly<Record<string, Ensure<O>>>;
}

/** Any lifecycle, for the parts of the runtime that are the same for every kind. */
export type AnyLifecycle = Lifecycle<KubeObject, BaseFacts, string, string>;

/** Erases the types of a lifecycle that the runtime need not know. */
export const lifecycle = <O extends KubeObject, Facts extends BaseFacts, State extends string, Event extends string>(
  of: Lifecycle<O, Facts, State, Event>,
): AnyLifecycle => of as unknown as AnyLifecycle;

export type Fields = Readonly<Record<string, unknown>>;

/** The state of another machine of the same object, and the event that led to it in this very pass. */
interface OtherState {
  readonly state: string;
  readonly event: string | null;
}

export type Others = Readonly<Record<string, OtherState>>;
