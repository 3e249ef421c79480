import type { NetworkChange } from './current.ts';
import type { Uncaught } from '../uncaught.ts';
import type { ClosedPort } from './doors.ts';
import type { NetworkOptions } from './serve.ts';
import type { Demanded } from './waking/demand.ts';

/** What is sent to the process of the network. */
export type ToNetwork =
  | { readonly is: 'begin'; readonly options: NetworkOptions }
  | { readonly is: 'changed'; readonly changes: readonly NetworkChange[] }
  | { readonly is: 'settle'; readonly turn: number }
  | { readonly is: 'stop' };

/** What it says. */
export type FromNetwork =
  | { readonly is: 'settled'; readonly turn: number }
  | { readonly is: 'complaint'; readonly why: string; readonly closed: readonly ClosedPort[] }
  | { readonly is: 'demand'; readonly demand: readonly Demanded[] }
  | { readonly is: 'uncaught'; readonly uncaught: Uncaught };
