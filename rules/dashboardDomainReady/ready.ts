import type { DashboardDomainReadyState } from '../../machines/names.ts';
import type { VerdictRule } from '../verdict.ts';
import type { DashboardDomainFacts } from './facts.ts';
import { closed, hidden, sentence } from '../words.ts';

/** The facts of a check and the resulting state. */
export interface DashboardDomainVerdictFacts extends DashboardDomainFacts {
  readonly reached: DashboardDomainReadyState;
}
type Seen = DashboardDomainVerdictFacts;

const cameTo = (state: DashboardDomainReadyState) => (seen: Seen) => seen.reached === state;
const probe = ({ host }: Seen) => `https://${host}/core-probe`;
const isRefused = ({ dns }: Seen): boolean => dns.is === 'known' && dns.value.is === 'recordRefused';
const dnsWhy = ({ dns }: Pick<Seen, 'dns'>): string => (dns.is === 'known' && 'why' in dns.value ? dns.value.why : '');
const probeWhy = ({ probe: { is, ...fact } }: Seen): string =>
  is === 'known' && 'value' in fact && fact.value.is === 'silent' ? fact.value.why : '';
export const unresolved = (seen: Pick<Seen, 'host' | 'dns'>) =>
  sentence('{host} does not resolve to the public IP of the cluster: {why}', {
    host: hidden(seen.host),
    why: hidden(dnsWhy(seen)),
  });
const unanswered = (seen: Seen) =>
  sentence('{probe} does not answer yet: {why}; the certificate may be pending', {
    probe: hidden(probe(seen)),
    why: hidden(probeWhy(seen)),
  });

/**
 * The condition DashboardDomainReady: its reason is the state; the causes of one state are listed in the order checked.
 */
export const dashboardDomainVerdicts: readonly VerdictRule<DashboardDomainVerdictFacts>[] = [
  {
    reason: 'Unchecked',
    status: 'Unknown',
    when: cameTo('Unchecked'),
    message: () => closed('The dashboard domain is being checked'),
  },
  {
    reason: 'NoDomain',
    status: 'False',
    when: cameTo('NoDomain'),
    message: () => closed('No root domain is set: neither spec.rootDomain nor spec.dashboardURL gives one'),
  },
  {
    reason: 'Verified',
    status: 'True',
    when: cameTo('Verified'),
    message: (seen) => sentence('{probe} answers', { probe: hidden(probe(seen)) }),
  },
  {
    reason: 'VerificationTimedOut',
    status: 'False',
    when: cameTo('VerificationTimedOut'),
    message: ({ host, cause }) =>
      sentence('{host} was not verified within 15 minutes; it is checked again every 5 minutes. {cause}', {
        host: hidden(host),
        cause: hidden(cause),
      }),
  },
  {
    reason: 'Error',
    status: 'False',
    when: ({ reached, credentials }) => reached === 'Error' && credentials === 'unavailable',
    message: ({ secret }) =>
      sentence('DNS credentials are unavailable: Secret "{secret}" was not found', { secret: hidden(secret) }),
  },
  {
    reason: 'Error',
    status: 'False',
    when: ({ reached, credentials }) => reached === 'Error' && credentials === 'incomplete',
    message: ({ secret }) =>
      sentence('DNS credentials are incomplete: Secret "{secret}" needs the keys apiToken and accountId', {
        secret: hidden(secret),
      }),
  },
  {
    reason: 'Error',
    status: 'False',
    when: ({ reached, serviceFound }) => reached === 'Error' && !serviceFound,
    message: () => closed('The dashboard Service was not found'),
  },
  {
    reason: 'Error',
    status: 'False',
    when: cameTo('Error'),
    message: () => closed('Nodes could not be listed'),
  },
  {
    reason: 'ZoneRequired',
    status: 'False',
    when: cameTo('ZoneRequired'),
    message: ({ rootDomain }) =>
      sentence('Several DNS zones are visible and none matches {rootDomain}; set spec.dnsZoneID', {
        rootDomain: hidden(rootDomain),
      }),
  },
  {
    reason: 'PendingTunnel',
    status: 'False',
    when: cameTo('PendingTunnel'),
    message: () => closed('The tunnel has no hostname yet'),
  },
  {
    reason: 'PendingDNS',
    status: 'False',
    when: (seen) => seen.reached === 'PendingDNS' && isRefused(seen),
    message: (seen) =>
      sentence('The DNS record of {host} could not be created: {why}', {
        host: hidden(seen.host),
        why: hidden(dnsWhy(seen)),
      }),
  },
  {
    reason: 'PendingDNS',
    status: 'False',
    when: cameTo('PendingDNS'),
    message: unresolved,
  },
  {
    reason: 'PendingHTTPS',
    status: 'False',
    when: ({ exposure, issuerReason }) => exposure === 'ingress' && issuerReason !== '',
    message: (seen) =>
      sentence('{unanswered}: {issuerReason}', {
        unanswered: unanswered(seen),
        issuerReason: hidden(seen.issuerReason),
      }),
  },
  { reason: 'PendingHTTPS', status: 'False', when: () => true, message: unanswered },
];
