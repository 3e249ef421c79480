import { Data, type Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Cluster, Resource, WriteError } from '../services/cluster/cluster.ts';
import type { Outside } from '../services/outside.ts';

/** One machine of another object; the kind is part of it because several kinds may have a machine of the same name. */
interface OtherMachine {
  readonly kind: string;
  readonly machine: string;
  readonly name: string;
  /** The list entry that has this machine; absent for a machine of the object itself. */
  readonly item?: string;
}

/** Runs one command on one machine of another object, as any client might. */
export type MoveOther = (
  other: OtherMachine,
  command: Command,
) => Effect.Effect<KubeObject, CommandRejected | WriteError, Outside>;

/** Creates one object of another kind, as any client might; the caches show it at once, and its own passes begin. */
export type AddOther = <O extends KubeObject>(
  resource: Resource<O>,
  object: O,
) => Effect.Effect<O, WriteError, Cluster>;

/** No rule answers this command in this state, or one refuses it. */
export class CommandRejected extends Data.TaggedError('CommandRejected')<{
  readonly machine: string;
  readonly name: string;
  readonly command: string;
  /** The object is being deleted, so no command is carried out on it. */
  readonly isDeleting: boolean;
  /** Why a rule refused it; empty when no rule answered. */
  readonly says: string;
}> {}

/** A command to one instance, with its parameters and its sender. */
export interface Command {
  readonly asked: string | { readonly is: string };
  readonly by: string;
}
