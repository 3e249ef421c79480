import type { Counts } from '../../../rules/verdict.ts';
import type { AnySubject, Invariant, Move } from '../subject.ts';

/** Where the machines that stepped before in the same pass have come to, and by which event in it. */
export type Others = Readonly<Record<string, { readonly state: string; readonly event: string | null }>>;

/** An act that has just failed: its machines decide once more over the same world. */
export interface Failed {
  readonly counts: Counts;
  readonly why: string;
}

/** What one decision is over, beside the world. */
export interface Deciding {
  readonly others: Others;
  readonly failure: Failed | null;
  /** What is asked and what is known with it; null in a pass. */
  readonly command: Readonly<Record<string, unknown>> | null;
}

/** One machine of an object, whose facts and whose state are read from the world that it shares with the others. */
export interface Part<World> {
  readonly subject: AnySubject;
  /** What is kept in the object is written by a patch of its own, before the status is. */
  readonly kept: 'status' | 'object';
  /** The lens over the joint world. */
  read(world: World): string;
  /** Enters a state; a machine whose actions write what its lens reads leaves the world as it is. */
  enter(world: World, state: string): World;
  facts(world: World, deciding: Deciding): object;
  readonly does: Readonly<Record<string, (world: World, facts: never) => World>>;
  readonly ensures?: Readonly<Record<string, (world: World) => World>>;
}

/** A promise over the joint life, with its words: no table of one machine could make it. */
export type Promised<World> = Invariant<World> & { readonly holds: string };

/** The machines of one object in one world: it is searched with the real rules, machines and tables of all of them. */
export interface Joint<World> {
  readonly name: string;
  /** In the order in which they step. */
  readonly parts: readonly Part<World>[];
  readonly start: readonly World[];
  readonly moves: readonly Move<World>[];
  /** What may be asked: of which machine, and what its facts have then. */
  readonly commands: Readonly<
    Record<string, { readonly machine: string; readonly facts: Readonly<Record<string, unknown>> }>
  >;
  /** Whether there is an object that can be asked. */
  isThere(world: World): boolean;
  within(world: World): boolean;
  /** One of the worlds that no rule and no promise can tell from this one. */
  plainest(world: World): World;
  readonly promises: Readonly<Record<string, Promised<World>>>;
  /** The bound that the search is held to: worlds, and seconds on an ordinary machine. */
  readonly budget: { readonly worlds: number; readonly seconds: number };
}

export type AnyJoint = Joint<unknown>;

/** Erases what the search need not know of a joint world. */
export const joint = <World>(of: Joint<World>): AnyJoint => of as unknown as AnyJoint;
