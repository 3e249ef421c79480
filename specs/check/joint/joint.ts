import type { Counts } from '../../../rules/verdict.ts';
import type { AnySubject, Invariant, Move } from '../subject.ts';

/** The states that the earlier machines of the same pass have reached, and the events that led there. */
export type Others = Readonly<Record<string, { readonly state: string; readonly event: string | null }>>;

/** An action that has just failed: the machines decide once more over the same world. */
export interface Failed {
  readonly counts: Counts;
  readonly why: string;
}

/** The context of one decision besides the world. */
export interface Deciding {
  readonly others: Others;
  readonly failure: Failed | null;
  /** The command with its parameters; null in a pass. */
  readonly command: Readonly<Record<string, unknown>> | null;
}

/** One machine of an object; it reads its facts and its state from the world that it shares with the others. */
export interface Part<World> {
  readonly subject: AnySubject;
  /** A state stored in the object is written by a patch of its own, before the status is. */
  readonly kept: 'status' | 'object';
  /** The lens over the joint world. */
  read(world: World): string;
  /** Enters a state; leaves the world unchanged if the actions of the machine write what its lens reads. */
  enter(world: World, state: string): World;
  facts(world: World, deciding: Deciding): object;
  readonly does: Readonly<Record<string, (world: World, facts: never) => World>>;
  readonly ensures?: Readonly<Record<string, (world: World) => World>>;
}

/** An invariant over the joint life, with its text; no table of a single machine could state it. */
export type JointInvariant<World> = Invariant<World> & { readonly holds: string };

/**
 * The machines of one object in one world, which is searched with the real rules, machines and tables of all of them.
 */
export interface Joint<World> {
  readonly name: string;
  /** In the order in which they step. */
  readonly parts: readonly Part<World>[];
  readonly start: readonly World[];
  readonly moves: readonly Move<World>[];
  /** The possible commands: the machine that answers, and the facts that it has then. */
  readonly commands: Readonly<
    Record<string, { readonly machine: string; readonly facts: Readonly<Record<string, unknown>> }>
  >;
  /** Whether there is an object to command. */
  isThere(world: World): boolean;
  within(world: World): boolean;
  /** The representative of all worlds that no rule and no invariant can distinguish from this one. */
  plainest(world: World): World;
  readonly invariants: Readonly<Record<string, JointInvariant<World>>>;
  /** The limits of the search: worlds, and seconds on an ordinary machine. */
  readonly budget: { readonly worlds: number; readonly seconds: number };
}

export type AnyJoint = Joint<unknown>;

/** Erases the types that the search does not need. */
export const joint = <World>(of: Joint<World>): AnyJoint => of as unknown as AnyJoint;
