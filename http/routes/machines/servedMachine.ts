import type { RouterContext } from '@koa/router';
import type { View } from '../../../rules/access/needs.ts';
import type { JsonText } from '../../response/jsonText.ts';
import type { Instance, Machine, Trace } from './shapes.ts';
import type { List } from '../../lists/page.ts';
import type { Place } from '../../lists/continue.ts';
import type { InstanceLine } from '../../views/instance.ts';
import type { AnyMachine, Tabled } from '../../views/placed.ts';

/** One instance in a list. */
export interface InstanceRow {
  readonly line: InstanceLine;
  readonly place: Place;
  /** Its JSON, with what is known of its passes now. */
  readonly text: () => JsonText<Instance>;
}

/** One instance in a list of all their moves. */
export interface TraceRow {
  readonly place: Place;
  readonly trace: () => Trace;
}

/** `isFolded` is for transitions alone. */
type Answering = (ctx: RouterContext, isFolded?: boolean) => unknown;

/** One instance of a machine with its handlers; a deleted one has no explanation and no passes. */
export interface ServedInstance {
  readonly read: Answering;
  readonly transitions: Answering;
  readonly explain: Answering | null;
  readonly reconcile: Answering | null;
}

/** A machine as the routes about machines serve it, wherever its instances are kept. */
export interface ServedMachine {
  readonly tabled: Tabled;
  /** One for each kind that has it: their words for a state may differ. */
  readonly lifecycles: readonly [AnyMachine, ...(readonly AnyMachine[])];
  readonly read: (view: View) => Machine;
  /** By name and kind. */
  readonly instances: (view: View) => List<InstanceRow>['from'];
  readonly traces: (view: View) => List<TraceRow>['from'];
  /** Those with the newest moves, as many as have so many in all. */
  readonly newest: (view: View, count: number) => readonly Trace[];
  /** Null where there is none of this id. */
  readonly find: (id: string, view: View) => ServedInstance | null | Promise<ServedInstance | null>;
}
