/** How long a client may take to send its headers, and the whole of its request. */
export interface PatienceMs {
  readonly headers: number;
  readonly request: number;
}

const patience: PatienceMs = { headers: 10_000, request: 30_000 };
const checksPerLimit = 10;

/** The limits as Node takes them; who oversteps one is told so and cut off. Host headers are looked at further in. */
export const timeLimits = ({ headers, request }: PatienceMs = patience) => ({
  headersTimeout: headers,
  requestTimeout: request,
  connectionsCheckingInterval: Math.ceil(headers / checksPerLimit),
  requireHostHeader: false,
});
