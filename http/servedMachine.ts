import type { RouterContext } from '@koa/router';
import type { View } from '../rules/access/needs.ts';
import type { Instance, Machine, Trace } from './api.ts';
import type { AnyMachine, Tabled } from './views/placed.ts';

type Answering = (ctx: RouterContext) => unknown;

/** One instance of a machine, and how it answers whoever asks; a deleted one has no explanation and no passes. */
export interface ServedInstance {
  readonly read: Answering;
  readonly transitions: Answering;
  readonly explain: Answering | null;
  readonly look: Answering | null;
}

/** A machine as the routes about machines serve it, wherever its instances are kept. */
export interface ServedMachine {
  readonly tabled: Tabled;
  /** One for each kind that has it: their words for a state may differ. */
  readonly lifecycles: readonly [AnyMachine, ...(readonly AnyMachine[])];
  readonly read: (view: View) => Machine;
  readonly instances: (view: View) => readonly Instance[];
  readonly traces: (view: View) => readonly Trace[];
  /** Null where there is none of this id. */
  readonly find: (id: string, view: View) => ServedInstance | null | Promise<ServedInstance | null>;
}
