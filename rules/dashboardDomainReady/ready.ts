import type { DashboardDomainReadyState } from '../../machines/names.ts';
import type { VerdictRule } from '../verdict.ts';
import type { DashboardDomainFacts, DnsSeen } from './facts.ts';

/** The facts of a check and the state it came to. */
export interface DashboardDomainVerdictFacts extends DashboardDomainFacts {
  readonly reached: DashboardDomainReadyState;
}
type Seen = DashboardDomainVerdictFacts;

const cameTo = (state: DashboardDomainReadyState) => (seen: Seen) => seen.reached === state;
const probe = ({ host }: Seen) => `https://${host}/core-probe`;
const refusal = ({ dns }: Seen): Extract<DnsSeen, { readonly is: 'recordRefused' }> | undefined =>
  dns.is === 'known' && dns.value.is === 'recordRefused' ? dns.value : undefined;
const unanswered = (seen: Seen) => `${probe(seen)} does not answer yet; the certificate may be pending`;

/** The condition DashboardDomainReady: its state is its reason; among the causes of a state, in the order checked. */
export const dashboardDomainVerdicts: readonly VerdictRule<DashboardDomainVerdictFacts>[] = [
  {
    reason: 'Unchecked',
    status: 'Unknown',
    when: cameTo('Unchecked'),
    message: () => 'The dashboard domain is being checked',
  },
  {
    reason: 'NoDomain',
    status: 'False',
    when: cameTo('NoDomain'),
    message: () => 'No root domain is set',
  },
  {
    reason: 'Verified',
    status: 'True',
    when: cameTo('Verified'),
    message: (seen) => `${probe(seen)} answers`,
  },
  {
    reason: 'VerificationTimedOut',
    status: 'False',
    when: cameTo('VerificationTimedOut'),
    message: ({ host }) => `${host} was not verified within 15 minutes; it is checked again every 5 minutes`,
  },
  {
    reason: 'Error',
    status: 'False',
    when: ({ reached, credentials }) => reached === 'Error' && credentials === 'unavailable',
    message: ({ secret }) => `DNS credentials are unavailable: Secret "${secret}" was not found`,
  },
  {
    reason: 'Error',
    status: 'False',
    when: ({ reached, credentials }) => reached === 'Error' && credentials === 'incomplete',
    message: ({ secret }) => `DNS credentials are incomplete: Secret "${secret}" needs the keys apiToken and accountId`,
  },
  {
    reason: 'Error',
    status: 'False',
    when: ({ reached, serviceFound }) => reached === 'Error' && !serviceFound,
    message: () => 'The dashboard Service was not found',
  },
  {
    reason: 'Error',
    status: 'False',
    when: cameTo('Error'),
    message: () => 'Nodes could not be listed',
  },
  {
    reason: 'ZoneRequired',
    status: 'False',
    when: cameTo('ZoneRequired'),
    message: ({ rootDomain }) => `Several DNS zones are visible and none matches ${rootDomain}; set spec.dnsZoneID`,
  },
  {
    reason: 'PendingTunnel',
    status: 'False',
    when: cameTo('PendingTunnel'),
    message: () => 'The tunnel has no hostname yet',
  },
  {
    reason: 'PendingDNS',
    status: 'False',
    when: (seen) => seen.reached === 'PendingDNS' && refusal(seen) !== undefined,
    message: (seen) => `The DNS record of ${seen.host} could not be created: ${refusal(seen)?.why ?? ''}`,
  },
  {
    reason: 'PendingDNS',
    status: 'False',
    when: cameTo('PendingDNS'),
    message: ({ host }) => `${host} does not resolve to the public IP of the cluster`,
  },
  {
    reason: 'PendingHTTPS',
    status: 'False',
    when: ({ exposure, issuerReason }) => exposure === 'ingress' && issuerReason !== '',
    message: (seen) => `${unanswered(seen)}: ${seen.issuerReason}`,
  },
  { reason: 'PendingHTTPS', status: 'False', when: () => true, message: unanswered },
];
