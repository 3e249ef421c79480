import { Context, type Effect } from 'effect';

/** The addresses of a name; empty when it has none. */
export type Resolved =
  { readonly is: 'found'; readonly addresses: readonly string[] } | { readonly is: 'failed'; readonly why: string };

export interface DnsShape {
  readonly resolve: (host: string) => Effect.Effect<Resolved>;
}

/** Resolves names as visitors do, without a cache. */
export class Dns extends Context.Service<Dns, DnsShape>()('core/Dns') {}
