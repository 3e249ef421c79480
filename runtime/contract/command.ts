import { Data, type Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Cluster, Resource, WriteError } from '../services/cluster/cluster.ts';
import type { Outside } from '../services/outside.ts';

/** One machine of another object, named with its kind because several kinds may have a machine of the same name. */
interface OtherMachine {
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
  /** The object is being deleted, so nothing is done for it any more. */
  readonly isDeleting: boolean;
  /** Why a rule refused it; empty where no rule answered it. */
  readonly says: string;
}> {}

/** What is asked of one instance, by name or with parameters, and by whom. */
export interface Command {
  readonly asked: string | { readonly is: string };
  readonly by: string;
}
