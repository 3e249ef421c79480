import type { DashboardDomainReadyEvent, DashboardDomainReadyState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { DashboardDomainFacts } from '../../../rules/dashboardDomainReady/facts.ts';
import type { DashboardDomainVerdictFacts } from '../../../rules/dashboardDomainReady/ready.ts';
import type { Fact } from '../../../rules/fact.ts';

type Event = DashboardDomainReadyEvent['type'];

const valueOf = <T>(fact: Fact<T>): T | undefined => (fact.is === 'known' ? fact.value : undefined);

/** What keeps the address from responding, by the table of reasons. */
function cause(facts: DashboardDomainFacts): Event {
  if (facts.credentials === 'unavailable') return 'credentialsUnavailable';
  if (facts.credentials === 'incomplete') return 'credentialsIncomplete';
  if (!facts.serviceFound) return 'serviceMissing';
  if (valueOf(facts.nodes) === 'refused') return 'nodesUnlisted';
  if (valueOf(facts.zone) === 'undecided') return 'zoneUndecided';
  const ingress = facts.exposure === 'ingress';
  if (!ingress && facts.tunnelHostname.length === 0) return 'tunnelAwaited';
  const dns = valueOf(facts.dns)?.is;
  if (dns === 'recordAwaited' || dns === 'recordRefused') return dns;
  return ingress && dns === 'elsewhere' ? 'hostResolvedElsewhere' : 'probeUnanswered';
}

/** A check of the domain, according to the documents. */
export function documents(state: DashboardDomainReadyState | Absence, facts: DashboardDomainFacts): Event | null {
  if (state === '(none)') return null;
  if (state !== 'Unchecked' && facts.generation !== facts.checkedGeneration) return 'specChanged';
  if (state === 'Verified' || state === 'NoDomain') return null;
  if (state === 'Unchecked' && facts.rootDomain.length === 0) return 'domainMissing';
  if (valueOf(facts.probe)?.is === 'answers') return 'probeAnswered';
  if (state === 'VerificationTimedOut') return 'stayedUnverified';
  const since = state === 'Unchecked' ? null : facts.pendingSince;
  if (since !== null && facts.now >= since + 15 * 60 * 1_000) return 'timeRanOut';
  return cause(facts);
}

const simple: Partial<Readonly<Record<DashboardDomainReadyState, string>>> = {
  Unchecked: 'PLC-045a',
  NoDomain: 'PLC-049',
  Verified: 'PLC-048',
  VerificationTimedOut: 'PLC-056',
  ZoneRequired: 'PLC-054',
  PendingTunnel: 'PLC-053',
};

/** The id of the row of the message table that holds. */
export function readyDocuments(facts: DashboardDomainVerdictFacts): string {
  const { reached, credentials, serviceFound, exposure, issuerReason } = facts;
  const row = simple[reached];
  if (row !== undefined) return row;
  if (reached === 'PendingDNS') return valueOf(facts.dns)?.is === 'recordRefused' ? 'PLC-050a' : 'PLC-050';
  if (reached === 'PendingHTTPS') return exposure === 'tunnel' || issuerReason === '' ? 'PLC-051' : 'PLC-052';
  if (credentials === 'unavailable') return 'PLC-055';
  if (credentials === 'incomplete') return 'PLC-055a';
  return serviceFound ? 'PLC-055c' : 'PLC-055b';
}
