import type { Fact } from '../fact.ts';

/** What is published, in the order in which it is: each needs those before it. */
export type Stage = 'tunnel' | 'token' | 'routes' | 'record';

/** The call that the provider or the cluster refused, and its message. */
export interface ProviderFailure {
  readonly at: Stage;
  readonly why: string;
}

/** What the provider said of itself and of what it holds. */
export interface ProviderSeen {
  readonly credentials: 'accepted' | 'refused' | 'unknown';
  /** What could not be read; null where all was. */
  readonly failure: ProviderFailure | null;
  /** The pieces of the next stage that are not as they should be. */
  readonly due: readonly string[];
  readonly stage: Stage;
  /** `none` without a root domain, which needs no zone; null where no zone was looked for. */
  readonly zone: 'settled' | 'undecided' | 'none' | null;
  /** Empty without a tunnel of the platform. */
  readonly tunnelID: string;
  /** Hash of the routes that the tunnel is to have; empty without one. */
  readonly routes: string;
  /** Whether the record of the dashboard's host is in place; null where no records were read. */
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
  /** What failed while the pieces were published in this pass; null when nothing failed. */
  readonly failure: ProviderFailure | null;
  /** Until when the provider wants not to be asked, in ms since the epoch; null where it does not say. */
  readonly limitedUntil: number | null;
}

/** What failed, while publishing or while reading. */
export const failureOf = ({ failure, provider }: Pick<DnsProviderFacts, 'failure' | 'provider'>) =>
  failure ?? (provider.is === 'known' ? provider.value.failure : null);
