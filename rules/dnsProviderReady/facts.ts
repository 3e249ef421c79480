import type { Fact } from '../fact.ts';

/** The call that the provider or the cluster refused, and its message. */
export interface ProviderFailure {
  readonly at: 'tunnel' | 'token' | 'routes' | 'record';
  readonly why: string;
}

/** The facts of one pass over the DNS provider. Provisional: no controller gathers them yet. */
export interface DnsProviderFacts {
  /** Name of the Secret of `spec.dnsConnectionRef`; empty when it is not set. */
  readonly secret: string;
  /** Those of `apiToken` and `accountId` that the Secret lacks; both when there is no Secret. */
  readonly missingKeys: readonly string[];
  readonly exposure: 'ingress' | 'tunnel';
  readonly rootDomain: string;
  /** The provider's answer about the credentials. */
  readonly credentials: Fact<'accepted' | 'refused'>;
  /** What failed while the pieces were read or published in this pass; null when nothing failed. */
  readonly failure: ProviderFailure | null;
  /** The pieces that differ from those last sent. */
  readonly duePieces: Fact<readonly string[]>;
}
