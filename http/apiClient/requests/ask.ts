import type { ApiClient } from '../client.ts';

/** Sends a request and returns the JSON of its answer: what commands and tools of agents both do. */
export type Ask = ApiClient['ask'];
