import type { DnsProviderReadyState } from '../../machines/names.ts';
import type { VerdictRule } from '../verdict.ts';
import type { DnsProviderFacts } from './facts.ts';

/** The facts of a pass and the state it came to, which is not Absent: then there is no condition. */
export interface DnsProviderVerdictFacts extends DnsProviderFacts {
  readonly reached: Exclude<DnsProviderReadyState, 'Absent'>;
}
type Seen = DnsProviderVerdictFacts;

const cameTo = (state: Seen['reached']) => (seen: Seen) => seen.reached === state;
const why = ({ failure }: Seen) => failure?.why ?? '';

/** The condition DnsProviderReady: its state is its reason. */
export const dnsProviderVerdicts: readonly VerdictRule<DnsProviderVerdictFacts>[] = [
  {
    reason: 'CredentialsIncomplete',
    status: 'False',
    when: cameTo('CredentialsIncomplete'),
    message: ({ secret, missingKeys }) => `Secret "${secret}" lacks ${missingKeys.join(' and ')}`,
  },
  {
    reason: 'CredentialsInvalid',
    status: 'False',
    when: cameTo('CredentialsInvalid'),
    message: ({ secret }) => `The DNS provider refuses the credentials of Secret "${secret}"`,
  },
  {
    reason: 'TunnelError',
    status: 'False',
    when: cameTo('TunnelError'),
    message: (seen) => `The tunnel could not be created or read: ${why(seen)}`,
  },
  {
    reason: 'TunnelTokenError',
    status: 'False',
    when: cameTo('TunnelTokenError'),
    message: (seen) => `The token of the tunnel could not be read: ${why(seen)}`,
  },
  {
    reason: 'TunnelConfigError',
    status: 'False',
    when: cameTo('TunnelConfigError'),
    message: (seen) => `The routes of the tunnel could not be published: ${why(seen)}`,
  },
  {
    reason: 'DNSError',
    status: 'False',
    when: cameTo('DNSError'),
    message: (seen) => `A DNS record could not be read or written: ${why(seen)}`,
  },
  {
    reason: 'Connected',
    status: 'True',
    when: ({ reached, rootDomain }) => reached === 'Connected' && rootDomain !== '',
    message: () => 'The DNS provider is connected and the record of the dashboard exists',
  },
  {
    reason: 'Connected',
    status: 'True',
    when: cameTo('Connected'),
    message: () => 'The DNS provider is connected; without a root domain no record is made',
  },
  {
    reason: 'Ready',
    status: 'True',
    when: cameTo('Ready'),
    message: () => 'The tunnel is published',
  },
  {
    reason: 'Connecting',
    status: 'Unknown',
    when: () => true,
    message: () => 'The DNS provider is being connected',
  },
];
