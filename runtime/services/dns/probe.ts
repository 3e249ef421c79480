import { Context, type Effect } from 'effect';

/** What the dashboard's public address answered. */
export type Probed = { readonly is: 'answers' } | { readonly is: 'silent'; readonly why: string };

export interface ProbeShape {
  /** Asks `https://<host>/core-probe`; the host may end with a port. */
  readonly ask: (host: string) => Effect.Effect<Probed>;
}

/** Reaches the dashboard as a visitor does. */
export class Probe extends Context.Service<Probe, ProbeShape>()('core/Probe') {}
