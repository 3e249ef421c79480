import type { Told } from './current.ts';
import type { NetworkOptions } from './serve.ts';

/** What the process of the network is told. */
export type ToNetwork =
  | { readonly is: 'begin'; readonly options: NetworkOptions }
  | { readonly is: 'told'; readonly told: readonly Told[] }
  | { readonly is: 'settle'; readonly turn: number }
  | { readonly is: 'stop' };

/** What it says. */
export type FromNetwork =
  { readonly is: 'settled'; readonly turn: number } | { readonly is: 'complaint'; readonly why: string };
