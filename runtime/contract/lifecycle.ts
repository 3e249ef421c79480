import { Data, type Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Table } from '../../machines/table.ts';
import type { ObjectRef } from '../../rules/cause/cause.ts';
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
  /** The object that could not be written, where one is known. */
  readonly on?: ObjectRef;
}> {}

/** The facts that every lifecycle has. */
export interface BaseFacts {
  readonly now: number;
}

/** Why facts are gathered, which is a fact itself. */
export interface Trigger {
  /** The command, with its parameters; null in a pass. */
  readonly asked: unknown;
  /**
   * A state written by another client, until the history has it; null when the newest move led to the current state.
   */
  readonly found: string | null;
}

/** The input of an observation: the clock, where an external change came from, the action that has just failed. */
export interface ReconcileInput {
  readonly now: number;
  /** The monotonic time (ms), in a pass; measures durations. */
  readonly monotonic?: number;
  readonly resetFrom: string | null;
  /** The other machines of the object; those that stepped earlier in this pass have their new state. */
  readonly others: Others;
  /** This pass has just claimed, so nothing with the claimed name can exist yet. */
  readonly claimed?: true;
  /** Nothing exists yet: the object is as requested. */
  readonly absent?: true;
  /** The command, with its parameters; none in a pass. */
  readonly asked?: unknown;
  readonly failure: ActionFailed | null;
}

/** Builds a reconcile input with defaults for what has not happened. */
export const reconcileInput = <Known extends Partial<ReconcileInput> & Pick<ReconcileInput, 'now'>>(known: Known) => ({
  resetFrom: null,
  others: {},
  failure: null,
  ...known,
});

/** What an action may read: the object before the move, the facts and message of the decision, the time of the move. */
export interface Acting<O, Facts> {
  readonly object: O;
  readonly reader: CacheReader;
  readonly facts: Facts;
  readonly text: string;
  readonly at: string;
}

/** Adds the object as written by the move and the actions before this one. */
export interface Writing<O, Facts> extends Acting<O, Facts> {
  readonly moved: O;
}

/** One named action of a machine; without `patch` and `effect` it only names a step of the table. */
export interface Action<O, Facts, Patch = Fields> {
  /** The fields it writes: of the status, or as a merge patch of the object, depending on `storage`. */
  readonly patch?: (writing: Writing<O, Facts>) => Patch;
  /** Runs before the state may be written. */
  readonly effect?: (acting: Acting<O, Facts>) => Effect.Effect<void, ActionFailed, Outside>;
}

export type Actions<Name extends string, O, Facts, Patch = Fields> = Readonly<Record<Name, Action<O, Facts, Patch>>>;

/** Builds actions that only write fields. */
export const patching = <Name extends string, Acts extends object, Patch>(
  patches: Readonly<Record<Name, (writing: Acts) => Patch>>,
): Readonly<Record<Name, { readonly patch: (writing: Acts) => Patch }>> => {
  const named = Object.entries<(writing: Acts) => Patch>(patches).map(([name, patch]) => [name, { patch }] as const);
  return Object.fromEntries(named) as Record<Name, { readonly patch: (writing: Acts) => Patch }>;
};

/** An entry of a list in the status that has its own machine: how its fields are found and written. */
interface ListItem {
  readonly key: string;
  /** Fields of the status after fields of the entry are set. */
  placed(object: KubeObject, fields: Fields): Fields;
  /** Fields of the status without the entry and without the request for it. */
  removed(object: KubeObject): Fields;
  isIn(object: KubeObject): boolean;
  /** Whether the object has the entry, or requests it. */
  isWanted(object: KubeObject): boolean;
  /** Whether a state is final for the entry. */
  isOverIn(state: string): boolean;
}

/** The key of a machine among those of its object. */
export const machineKey = ({ name, item }: Pick<AnyLifecycle, 'name' | 'item'>): string =>
  item === undefined ? name : `${name} ${item.key}`;

/** One machine of a kind: its storage, facts, rules, actions and ensures. */
export interface Lifecycle<O extends KubeObject, Facts extends BaseFacts, State extends string, Event extends string>
  extends Stepper<Facts, State, Event>, Pick<Table, 'claims' | 'trouble'> {
  /** At most one machine of a kind stores its state in the object itself, in spec and annotations. */
  readonly storage: 'status' | 'object';
  /** For a kind without a finalizer: the pass that reaches the end of the table removes the object. */
  readonly removes?: true;
  /** The list entry that it is the machine of; absent for the object itself. */
  readonly item?: ListItem;

  /** Whether an object takes part in it, for lists and pages; by default every object of the kind. */
  concerns?(object: O): boolean;

  /** Whether the current obstacle is retried automatically. */
  retrying(object: O): boolean;

  /** The lens: the state of the object; absence when the first state is not entered yet. */
  read(object: O): State | Absence;
  /** Fields that store the state; `object` is for a state that shares its field with others. */
  write(to: State, object: O): Fields;
  /** The state as people read it. */
  shown(object: O): string;

  /** Facts from the object and the caches; the others are `unasked`, and the caller adds the trigger. */
  observe(object: O, reader: CacheReader, input: ReconcileInput): Omit<Facts, keyof Trigger>;
  ask(fact: FactName<Facts>, object: O, reader: CacheReader): Effect.Effect<Fact<unknown>, never, Outside>;
  /** Drops what is remembered of a deleted object. */
  readonly forget?: (name: string) => void;

  readonly actions: Actions<string, O, Facts>;
  /** How each ensure named in `meta.ensures` is fulfilled. */
  readonly ensures: Readonly<Record<string, Ensure<O>>>;
}

/** A lifecycle of any kind, for the parts of the runtime that are the same for every kind. */
export type AnyLifecycle = Lifecycle<KubeObject, BaseFacts, string, string>;

/** Erases the types of a lifecycle that the runtime need not know. */
export const lifecycle = <O extends KubeObject, Facts extends BaseFacts, State extends string, Event extends string>(
  of: Lifecycle<O, Facts, State, Event>,
): AnyLifecycle => of as unknown as AnyLifecycle;

export type Fields = Readonly<Record<string, unknown>>;

/** The state of another machine of the same object, and the event that led to it in this pass. */
interface OtherState {
  readonly state: string;
  readonly event: string | null;
}

export type Others = Readonly<Record<string, OtherState>>;
