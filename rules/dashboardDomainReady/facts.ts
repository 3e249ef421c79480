import type { Fact } from '../fact.ts';

/**
 * The DNS response for the dashboard's host, or why its record could not be created; `recordAwaited` while the provider
 * has neither shown the record nor failed.
 */
export type DnsSeen =
  { readonly is: 'right' | 'recordAwaited' } | { readonly is: 'elsewhere' | 'recordRefused'; readonly why: string };

/** The result of the HTTPS probe. */
type ProbeSeen = { readonly is: 'answers' } | { readonly is: 'silent'; readonly why: string };

/** The facts of one pass over the dashboard's domain. */
export interface DashboardDomainFacts {
  readonly now: number;
  readonly generation: number;
  /** `status.domain.generation`. */
  readonly checkedGeneration: number;
  /** `status.domain.pendingSince`. */
  readonly pendingSince: number | null;
  /** Empty when neither `spec.rootDomain` nor `spec.dashboardURL` gives one. */
  readonly rootDomain: string;
  /** The host of the dashboard under it. */
  readonly host: string;
  readonly exposure: 'ingress' | 'tunnel';
  /** Empty while the tunnel has no hostname. */
  readonly tunnelHostname: string;
  /** Name of the Secret of `spec.dnsConnectionRef`, empty for none. */
  readonly secret: string;
  readonly credentials: 'notAsked' | 'unavailable' | 'incomplete' | 'complete';
  readonly serviceFound: boolean;
  /** The reason of a CoreCluster's `ClusterIssuerReady` while that is False, else empty. */
  readonly issuerReason: string;
  /** What was wrong when the verification timed out. */
  readonly cause: string;
  readonly probe: Fact<ProbeSeen>;
  /** `notNeeded` in tunnel mode, which has no public IP. */
  readonly nodes: Fact<'listed' | 'refused' | 'notNeeded'>;
  /** `settled` by `spec.dnsZoneID`, by the one zone that matches or is visible, or because no record is created. */
  readonly zone: Fact<'settled' | 'undecided'>;
  readonly dns: Fact<DnsSeen>;
}
