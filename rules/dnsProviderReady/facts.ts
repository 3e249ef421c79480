import type { Fact } from '../fact.ts';

/** The stages of publishing, in order: each needs those before it. */
export type Stage = 'tunnel' | 'token' | 'routes' | 'record';

/** The call that the provider or the cluster refused, and its message. */
export interface ProviderFailure {
  readonly at: Stage;
  readonly why: string;
}

/** The observed state at the provider. */
export interface ProviderSeen {
  readonly credentials: 'accepted' | 'refused' | 'unknown';
  /** The failed read; null when all succeeded. */
  readonly failure: ProviderFailure | null;
  /** The parts of the next stage that differ from the desired state. */
  readonly due: readonly string[];
  readonly stage: Stage;
  /** `none` without a root domain, which needs no zone; null when no zone was looked up. */
  readonly zone: 'settled' | 'undecided' | 'none' | null;
  /** Empty without a tunnel of the platform. */
  readonly tunnelID: string;
  /** Hash of the desired routes of the tunnel; empty without one. */
  readonly routes: string;
  /** Whether the record of the dashboard's host is in place; null when no records were read. */
  readonly dashboardRecord: boolean | null;
}

/** The facts of one pass over the DNS provider. */
export interface DnsProviderFacts {
  readonly now: number;
  /** Name of the Secret of `spec.dnsConnectionRef`; empty when it is not set. */
  readonly secret: string;
  /** Those of `apiToken` and `accountId` that the Secret lacks; both when there is no Secret. */
  readonly missingKeys: readonly string[];
  readonly exposure: 'ingress' | 'tunnel';
  readonly rootDomain: string;
  readonly provider: Fact<ProviderSeen>;
  /** What failed while publishing in this pass; null for nothing. */
  readonly failure: ProviderFailure | null;
  /** The end of the provider's rate limit, in ms since the epoch; null when not stated. */
  readonly limitedUntil: number | null;
}

/** What failed, while publishing or while reading. */
export const failureOf = ({ failure, provider }: Pick<DnsProviderFacts, 'failure' | 'provider'>) =>
  failure ?? (provider.is === 'known' ? provider.value.failure : null);
