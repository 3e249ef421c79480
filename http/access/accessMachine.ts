import type { Scope } from '../../rules/access/caller.ts';
import type { Fact } from '../../rules/fact.ts';
import type { BaseFacts } from '../../runtime/lifecycle.ts';
import type { OnRequest } from '../../runtime/step/onRequest.ts';
import type { Note } from '../api.ts';

/** One instance of a machine of access, as it stands now. Times are ms since the epoch. */
export interface AccessItem {
  /** What it is called, behind the name of the object that keeps it. */
  readonly item: string;
  /** Whom it is about, for people. */
  readonly subject: string;
  readonly scope: Scope | null;
  readonly state: string;
  /** Null where nobody keeps when it came to its state. */
  readonly since: number | null;
  /** With no command: what is known while nobody asks. */
  readonly facts: BaseFacts;
  /** Facts that are told otherwise than they are decided over; where there are any, no moment follows from them. */
  readonly told: Readonly<Record<string, Fact<unknown>>>;
  readonly notes: readonly Note[];
}

/** A machine of access, and what is known of its instances. */
export interface AccessMachine {
  readonly machine: OnRequest;
  /** The object that keeps its instances, or stands for whoever has them in memory. */
  readonly object: { readonly kind: string; readonly plural: string; readonly name: string };
  readonly items: (now: number) => readonly AccessItem[];
}

export const secretNamed = (name: string): AccessMachine['object'] => ({ kind: 'Secret', plural: 'secrets', name });
