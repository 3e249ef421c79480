/** Why an address was refused: by the URL itself, or where the name led when the connection was made. */
export type Refusal =
  { readonly by: 'privateAddress' } | { readonly by: 'urlForm' } | { readonly by: 'connection'; readonly ip: string };

/** What became of one request. A name that cannot be resolved is a network error. */
export type ReceiverAnswer =
  | { readonly is: 'answered'; readonly code: number }
  | { readonly is: 'networkError'; readonly why: string }
  | { readonly is: 'refused'; readonly refusal: Refusal };

/** What one pass of a delivery knows: all of it comes with the project and with the process that sends. */
export interface WebhookDeliveryFacts {
  readonly now: number;
  readonly type: 'deployment.started' | 'deployment.succeeded' | 'deployment.failed' | 'test';
  /** The deploy of this event was announced as started. */
  readonly announced: boolean;
  readonly webhook: 'on' | 'disabled' | 'removed';
  /** `spec.webhooks[].events`. */
  readonly chosen: readonly string[];
  /** When the attempt before this one ended. */
  readonly endedAt: number | null;
  /** When the request of this attempt was sent. */
  readonly sentAt: number | null;
  readonly answer: ReceiverAnswer | null;
  /** Other deliveries that are being sent at this moment. */
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

export type DeliveryLimits = Readonly<Record<keyof typeof deliveryLimits, number>>;
