/** What a fault counts, from 1: what concerns one resource, or all but Events and Leases, which come as they like. */
export interface Counted {
  readonly at: number;
  /** The plural of the one resource that counts. */
  readonly of?: string;
}

/** A run of calls: the one counted, and as many behind it as make up this number. */
export interface Run extends Counted {
  readonly for?: number;
}

type On = { readonly on: 'read' | 'write' | 'call' };

/** What befalls the changes that watches tell; they are counted over all watches. */
export type EventFault =
  | ({ readonly is: 'loseEvent' } & Counted)
  /** Told twice: at once, or again when others may have been told since. */
  | ({ readonly is: 'doubleEvent'; readonly againAfterMs: number } & Counted)
  /** It comes late, and so does all that its watch has to tell behind it. */
  | ({ readonly is: 'delayEvent'; readonly ms: number } & Counted)
  /** It alone comes late; others of its watch overtake it. */
  | ({ readonly is: 'overtakeEvent'; readonly ms: number } & Counted)
  /** It is told, then the server ends its watch. */
  | ({ readonly is: 'endWatch' } & Counted)
  /** From it on its watch is open and silent, until that is noticed. */
  | ({ readonly is: 'deafWatch' } & Counted)
  /** Each change comes late by an own time: those of one kind in order, those of several in any. */
  | { readonly is: 'anyOrder'; readonly seed: number; readonly mostMs: number; readonly of?: string };

/** What befalls a watch that is opened, or all that are open. */
export type WatchFault =
  /** The n-th watch opened is told that its version is too old. */
  | ({ readonly is: 'goneWatch' } & Run)
  /** Before the n-th call every open watch is told so: all is listed again, in the middle of whatever runs. */
  | ({ readonly is: 'relist' } & Counted & On);

/** What a list shows: the resource as it stood some changes ago. */
export type ListFault = { readonly is: 'staleList'; readonly changes: 1 | 2 | 3 | 4 | 5 } & Counted;

/** What befalls calls; a call is a get, a list, the log of a pod or a write. */
export type CallFault =
  /** 409, as if somebody had written in between. */
  | ({ readonly is: 'conflict' } & Run)
  | ({ readonly is: 'refuse'; readonly with: 429 | 500 | 503 } & Run & On)
  /** Nothing is done and nothing answered. */
  | ({ readonly is: 'timeOut' } & Run & On)
  /** The write is done, its answer never comes: the connection is reset, or nothing is heard until that is noticed. */
  | ({ readonly is: 'loseAnswer'; readonly noticed: 'atOnce' | 'late' } & Run)
  /** It takes a while before it is done, and as long again until that is told. */
  | ({ readonly is: 'slow'; readonly ms: number } & Run & On);

/** One thing that goes wrong between the product and the Kubernetes API. */
export type Fault = EventFault | WatchFault | ListFault | CallFault;

/** Their names. */
export const faultKinds = [
  'loseEvent',
  'doubleEvent',
  'delayEvent',
  'overtakeEvent',
  'endWatch',
  'deafWatch',
  'anyOrder',
  'goneWatch',
  'relist',
  'staleList',
  'conflict',
  'refuse',
  'timeOut',
  'loseAnswer',
  'slow',
] as const satisfies readonly Fault['is'][];
