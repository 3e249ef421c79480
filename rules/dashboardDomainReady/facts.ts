import type { Fact } from '../fact.ts';

/** The DNS response for the dashboard's host, or why its record could not be created. */
export type DnsSeen =
  { readonly is: 'right' } | { readonly is: 'elsewhere' } | { readonly is: 'recordRefused'; readonly why: string };

/** The facts of one pass over the dashboard's domain. Provisional: no controller gathers them yet. */
export interface DashboardDomainFacts {
  readonly now: number;
  readonly generation: number;
  /** `observedGeneration` of the condition. */
  readonly checkedGeneration: number;
  /** `lastTransitionTime` of the condition while it is False. */
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
  readonly probe: Fact<'answers' | 'silent'>;
  /** `notNeeded` in tunnel mode, which has no public IP. */
  readonly nodes: Fact<'listed' | 'refused' | 'notNeeded'>;
  /** `settled` by `spec.dnsZoneID`, by the one zone that matches or is visible, or because no record is made. */
  readonly zone: Fact<'settled' | 'undecided'>;
  readonly dns: Fact<DnsSeen>;
}
