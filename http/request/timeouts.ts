/** How long a client may take to send its headers, and its whole request. */
export interface ClientTimeoutsMs {
  readonly headers: number;
  readonly request: number;
}

const defaultTimeoutsMs: ClientTimeoutsMs = { headers: 10_000, request: 30_000 };
const checksPerLimit = 10;

/**
 * The limits as Node takes them; a client that exceeds one gets an error and is disconnected. Host headers are checked
 * later.
 */
export const timeLimits = ({ headers, request }: ClientTimeoutsMs = defaultTimeoutsMs) => ({
  headersTimeout: headers,
  requestTimeout: request,
  connectionsCheckingInterval: Math.ceil(headers / checksPerLimit),
  requireHostHeader: false,
});
