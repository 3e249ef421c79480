import type { Fact } from '../fact.ts';

/** What the provider or the cluster did not let through, and what it said. */
export interface ProviderFailure {
  readonly at: 'tunnel' | 'token' | 'routes' | 'record';
  readonly why: string;
}

/** What one pass knows of the DNS provider. The facts are provisional: no controller gathers them yet. */
export interface DnsProviderFacts {
  /** Name of the Secret of `spec.dnsConnectionRef`; empty when it is not set. */
  readonly secret: string;
  /** Those of `apiToken` and `accountId` that the Secret lacks; both when there is no Secret. */
  readonly missingKeys: readonly string[];
  readonly exposure: 'ingress' | 'tunnel';
  readonly rootDomain: string;
  /** What the provider said of the credentials. */
  readonly credentials: Fact<'accepted' | 'refused'>;
  /** What failed while the pieces were read or, in this pass, published; null when nothing did. */
  readonly failure: ProviderFailure | null;
  /** The pieces that differ from what was last sent. */
  readonly duePieces: Fact<readonly string[]>;
}
