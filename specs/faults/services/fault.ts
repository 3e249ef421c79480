/**
 * What a fault counts, from 1: calls or events of one resource, or of all but Events and Leases, whose timing varies.
 */
export interface Counted {
  readonly at: number;
  /** The plural of the only resource that counts. */
  readonly of?: string;
}

/** A run of calls: the counted one, and the following ones up to this number. */
export interface Run extends Counted {
  readonly for?: number;
}

type On = { readonly on: 'read' | 'write' | 'call' };

/** Faults in the events of watches, counted over all watches. */
export type EventFault =
  | ({ readonly is: 'loseEvent' } & Counted)
  /** Delivered twice: at once, or again after others may have been delivered. */
  | ({ readonly is: 'doubleEvent'; readonly againAfterMs: number } & Counted)
  /** Delayed, together with everything that its watch delivers after it. */
  | ({ readonly is: 'delayEvent'; readonly ms: number } & Counted)
  /** Delayed alone, so that others of its watch overtake it. */
  | ({ readonly is: 'overtakeEvent'; readonly ms: number } & Counted)
  /** Delivered, after which the server ends its watch. */
  | ({ readonly is: 'endWatch' } & Counted)
  /** From this event on its watch is open and silent, until that is noticed. */
  | ({ readonly is: 'deafWatch' } & Counted)
  /** Each change is delayed by its own time: changes of one kind keep their order, changes of several kinds do not. */
  | { readonly is: 'anyOrder'; readonly seed: number; readonly mostMs: number; readonly of?: string };

/** Faults in a watch that is being opened, or in all open ones. */
export type WatchFault =
  /** The n-th opened watch receives 410 Gone, because its version is too old. */
  | ({ readonly is: 'goneWatch' } & Run)
  /**
   * Before the n-th call every open watch receives the same, so that everything is listed again in the middle of a
   * pass.
   */
  | ({ readonly is: 'relist' } & Counted & On);

/** A list returns the resource as it was some changes ago. */
export type ListFault = { readonly is: 'staleList'; readonly changes: 1 | 2 | 3 | 4 | 5 } & Counted;

/** Faults in calls; a call is a get, a list, the log of a pod or a write. */
export type CallFault =
  /** 409, as if another writer had come first. */
  | ({ readonly is: 'conflict' } & Run)
  | ({ readonly is: 'refuse'; readonly with: 429 | 500 | 503 } & Run & On)
  /** The call is not carried out and receives no response. */
  | ({ readonly is: 'timeOut' } & Run & On)
  /**
   * The write is carried out, but its response is lost: the connection is reset, or stays silent until that is noticed.
   */
  | ({ readonly is: 'loseAnswer'; readonly noticed: 'atOnce' | 'late' } & Run)
  /** The call is delayed, and so is its response by the same time. */
  | ({ readonly is: 'slow'; readonly ms: number } & Run & On);

/** How a webhook is in the way of a write. */
export type WebhookAnswer = 'nothing' | 'forbidden' | 'invalid';

/** Faults of the webhook of the operator for Postgres; counted are the writes that the API asks it about. */
export type WebhookFault =
  /** It does not answer, or denies. */
  | ({ readonly is: 'webhook'; readonly answers: WebhookAnswer } & Run)
  /** From the n-th write on it does not answer for this long. */
  | ({ readonly is: 'webhookAway'; readonly ms: number } & Counted);

/** One fault between the product and the Kubernetes API. */
export type Fault = EventFault | WatchFault | ListFault | CallFault | WebhookFault;

/** The names of these faults. */
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
  'webhook',
  'webhookAway',
] as const satisfies readonly Fault['is'][];
