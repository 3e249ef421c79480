/** Why an address was refused: because of the URL itself, or because of the address resolved at connection time. */
export type Refusal =
  { readonly by: 'privateAddress' } | { readonly by: 'urlForm' } | { readonly by: 'connection'; readonly ip: string };

/** The result of one request. A name that cannot be resolved is a network error. */
export type ReceiverAnswer =
  | { readonly is: 'answered'; readonly code: number }
  | { readonly is: 'networkError'; readonly why: string }
  | { readonly is: 'refused'; readonly refusal: Refusal };

/** The facts of one pass over a delivery: all of them come from the project and from the sending process. */
export interface WebhookDeliveryFacts {
  readonly now: number;
  readonly type: 'deployment.started' | 'deployment.succeeded' | 'deployment.failed' | 'test';
  /** The deploy of this event was announced as started. */
  readonly announced: boolean;
  readonly webhook: 'on' | 'disabled' | 'removed';
  /** `spec.webhooks[].events`. */
  readonly chosen: readonly string[];
  /** Whether too many events were waiting when this one arrived. */
  readonly overflows: boolean;
  /** When the previous attempt ended. */
  readonly endedAt: number | null;
  /** When the request of this attempt was sent. */
  readonly sentAt: number | null;
  readonly answer: ReceiverAnswer | null;
  /** Other deliveries that are being sent at the moment. */
  readonly underWay: number;
}

/** The numbers of document 001 ("Events", "Limits"). */
export const deliveryLimits = {
  firstWaitMs: 1_000,
  secondWaitMs: 5_000,
  requestMs: 10_000,
  concurrent: 8,
  errorFrom: 300,
} as const;

/** An unused slot is reassigned after this time: its project may be paused or deleted. */
export const turnMs = 10_000;

export type DeliveryLimits = Readonly<Record<keyof typeof deliveryLimits, number>>;
