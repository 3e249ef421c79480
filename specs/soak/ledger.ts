import { randomBytes } from 'node:crypto';

/** A command that was asked of a service's current build, and what was answered. */
export interface SoakCommand {
  readonly event: 'rebuildAsked' | 'cancelAsked' | 'pushed';
  readonly build: string;
  /** ms since the epoch. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** A status written by hand, answered by the API: over which move, and by which events the next one may take it up. */
export interface Patched {
  readonly what: 'reset' | 'cancel';
  readonly build: string;
  readonly uid: string;
  readonly over: number;
  readonly takenUpBy: readonly string[];
}

/** What the driver wrote of one build it made itself. */
export interface UserBuild {
  readonly name: string;
  /** What its Job does. */
  readonly ends: 'well' | 'badly';
  exists: 'yes' | 'no' | 'unknown';
  uid: string | null;
  /** What its recipe may be called: what was acknowledged last, and what nobody knows of since. */
  recipes: readonly string[];
  mayBeCancelled: boolean;
}

/** What the driver wrote of one service and its repository. */
export interface Service {
  readonly name: string;
  caches: readonly boolean[];
  recipes: readonly string[];
  /** What the head of its branch may be. */
  heads: readonly string[];
  mayBeCancelled: boolean;
}

/** Every write of the driver, as far as it was answered. */
export interface Ledger {
  readonly userBuilds: Map<string, UserBuild>;
  readonly services: Map<string, Service>;
  readonly asked: SoakCommand[];
  readonly patched: Patched[];
  /** Objects that were deleted, by uid. */
  readonly deleted: Map<string, string>;
  /** Tokens of command lines that were signed in. */
  readonly handedOver: string[];
  /** What every line begins with that is typed into a terminal; it must stand nowhere. */
  readonly mark: string;
  /** Those whose terminal showed what their line does. */
  readonly typedInto: Set<string>;
  /** What was answered to those who open terminals. */
  readonly answers: string[];
  /** Commands whose answer never came, by service and event. */
  readonly unanswered: Map<string, number>;
  readonly outcomes: Map<string, { done: number; refused: number; unknown: number }>;
}

export const makeLedger = (): Ledger => ({
  userBuilds: new Map(),
  services: new Map(),
  asked: [],
  patched: [],
  deleted: new Map(),
  handedOver: [],
  mark: `typed${randomBytes(8).toString('hex')}`,
  typedInto: new Set(),
  answers: [],
  unanswered: new Map(),
  outcomes: new Map(),
});

/** What was acknowledged, of every kind. */
export const acknowledged = ({ outcomes }: Ledger): number =>
  [...outcomes.values()].reduce((sum, { done }) => sum + done, 0);

export function countOutcome({ outcomes }: Ledger, what: string, is: 'done' | 'refused' | 'unknown'): void {
  const counts = outcomes.get(what) ?? { done: 0, refused: 0, unknown: 0 };
  counts[is] += 1;
  outcomes.set(what, counts);
}

export const unansweredKey = (service: string, event: string) => `${service} ${event}`;

export function countUnanswered({ unanswered }: Ledger, service: string, event: string): void {
  const key = unansweredKey(service, event);
  unanswered.set(key, (unanswered.get(key) ?? 0) + 1);
}

/** What a value may be after a write of `next` came out so. */
export const after = <T>(values: readonly T[], next: T, is: 'done' | 'refused' | 'unknown'): readonly T[] =>
  is === 'done' ? [next] : is === 'unknown' ? [...values, next] : values;
