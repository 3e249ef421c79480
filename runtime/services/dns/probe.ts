import { Context, type Effect } from 'effect';

/** The result of a request to the dashboard's public address. */
export type Probed = { readonly is: 'answers' } | { readonly is: 'silent'; readonly why: string };

export interface ProbeShape {
  /** Requests `https://<host>/core-probe`; the host may include a port. */
  readonly ask: (host: string) => Effect.Effect<Probed>;
}

/** Reaches the dashboard as a visitor does. */
export class Probe extends Context.Service<Probe, ProbeShape>()('core/Probe') {}
