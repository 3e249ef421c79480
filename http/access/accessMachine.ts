import type { Scope } from '../../rules/access/caller.ts';
import type { Fact } from '../../rules/fact.ts';
import type { BaseFacts } from '../../runtime/contract/lifecycle.ts';
import type { OnRequest } from '../../runtime/step/onRequest.ts';
import type { Note } from '../routes/machines/explanation.ts';

/** One instance of an access machine in its current state. Times are ms since the epoch. */
export interface AccessItem {
  /** Its name within the object that stores it. */
  readonly item: string;
  /** The user, client or address that it concerns, for display. */
  readonly subject: string;
  readonly scope: Scope | null;
  readonly state: string;
  /** Null where the time at which it entered its state is not stored. */
  readonly since: number | null;
  /** The facts without a command. */
  readonly facts: BaseFacts;
  /** Facts shown with another value than the decision uses; where there are any, no next check follows from them. */
  readonly shownFacts: Readonly<Record<string, Fact<unknown>>>;
  readonly notes: readonly Note[];
}

/** A machine that controls access, with its instances. */
export interface AccessMachine {
  readonly machine: OnRequest;
  /** The object that stores its instances, or the Lease of the process that has them in memory. */
  readonly object: { readonly kind: string; readonly plural: string; readonly name: string };
  readonly items: (now: number) => readonly AccessItem[];
}

export const secretNamed = (name: string): AccessMachine['object'] => ({ kind: 'Secret', plural: 'secrets', name });
