import type { DnsProviderReadyEvent, DnsProviderReadyState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { DnsProviderFacts } from '../../../rules/dnsProviderReady/facts.ts';
import type { DnsProviderVerdictFacts } from '../../../rules/dnsProviderReady/ready.ts';

type Event = DnsProviderReadyEvent['type'];

const failed: Readonly<Record<string, Event>> = {
  tunnel: 'tunnelFailed',
  token: 'tokenFailed',
  routes: 'routesFailed',
  record: 'recordFailed',
};

/** A pass over the DNS provider, according to the documents. */
export function documents(state: DnsProviderReadyState | Absence, facts: DnsProviderFacts): Event | null {
  if (state === '(none)') return null;
  const isSet = facts.secret.length > 0;
  if (state === 'Absent') return isSet ? 'connectionSet' : 'stayedAbsent';
  if (!isSet) return 'connectionUnset';
  if (state === 'Connected' && facts.exposure === 'tunnel') return 'modeChanged';
  if (facts.missingKeys.length !== 0) return 'keysMissing';
  return published(facts);
}

/** What was reached at the provider, with credentials that are there. */
function published({ provider, failure: stored, exposure }: DnsProviderFacts): Event | null {
  const seen = provider.is === 'known' ? provider.value : null;
  if (seen?.credentials === 'refused') return 'credentialsRefused';
  const failure = stored ?? seen?.failure ?? null;
  if (failure !== null) return failed[failure.at] ?? null;
  if (seen !== null && seen.due.length !== 0) return 'piecesDue';
  return exposure === 'tunnel' ? 'tunnelPublished' : 'connected';
}

const rows: Readonly<Record<DnsProviderVerdictFacts['reached'], string>> = {
  Connecting: 'PLC-057a',
  Connected: 'PLC-058',
  Ready: 'PLC-059',
  CredentialsIncomplete: 'PLC-060',
  CredentialsInvalid: 'PLC-061',
  TunnelError: 'PLC-062',
  TunnelTokenError: 'PLC-063',
  TunnelConfigError: 'PLC-064',
  DNSError: 'PLC-065',
};

/** The id of the row of the message table that holds. */
export const readyDocuments = ({ reached, rootDomain }: DnsProviderVerdictFacts): string =>
  reached === 'Connected' && rootDomain.length === 0 ? 'PLC-058a' : rows[reached];
