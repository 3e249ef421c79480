import type { DnsProviderReadyState } from '../../machines/names.ts';
import type { VerdictRule } from '../verdict.ts';
import { type DnsProviderFacts, failureOf } from './facts.ts';
import { closed, hidden, sentence } from '../words.ts';

/** The facts of a pass and the resulting state; in Absent there is no condition. */
export interface DnsProviderVerdictFacts extends DnsProviderFacts {
  readonly reached: Exclude<DnsProviderReadyState, 'Absent'>;
}
type Seen = DnsProviderVerdictFacts;

const cameTo = (state: Seen['reached']) => (seen: Seen) => seen.reached === state;
const why = (seen: Seen) => failureOf(seen)?.why ?? '';

export const keysMissing = ({ secret, missingKeys }: Pick<DnsProviderVerdictFacts, 'secret' | 'missingKeys'>) =>
  sentence('Secret "{secret}" lacks {missingKeys}', {
    secret: hidden(secret),
    missingKeys: hidden(missingKeys.join(' and ')),
  });

/** The condition DnsProviderReady: its state is its reason. */
export const dnsProviderVerdicts: readonly VerdictRule<DnsProviderVerdictFacts>[] = [
  {
    reason: 'CredentialsIncomplete',
    status: 'False',
    when: cameTo('CredentialsIncomplete'),
    message: keysMissing,
  },
  {
    reason: 'CredentialsInvalid',
    status: 'False',
    when: cameTo('CredentialsInvalid'),
    message: ({ secret }) =>
      sentence('The DNS provider refuses the credentials of Secret "{secret}"', { secret: hidden(secret) }),
  },
  {
    reason: 'TunnelError',
    status: 'False',
    when: cameTo('TunnelError'),
    message: (seen) => sentence('The tunnel could not be created or read: {why}', { why: hidden(why(seen)) }),
  },
  {
    reason: 'TunnelTokenError',
    status: 'False',
    when: cameTo('TunnelTokenError'),
    message: (seen) => sentence('The token of the tunnel could not be read: {why}', { why: hidden(why(seen)) }),
  },
  {
    reason: 'TunnelConfigError',
    status: 'False',
    when: cameTo('TunnelConfigError'),
    message: (seen) => sentence('The routes of the tunnel could not be published: {why}', { why: hidden(why(seen)) }),
  },
  {
    reason: 'DNSError',
    status: 'False',
    when: cameTo('DNSError'),
    message: (seen) => sentence('A DNS record could not be read or written: {why}', { why: hidden(why(seen)) }),
  },
  {
    reason: 'Connected',
    status: 'True',
    when: ({ reached, rootDomain }) => reached === 'Connected' && rootDomain !== '',
    message: () => closed('The DNS provider is connected and the record of the dashboard exists'),
  },
  {
    reason: 'Connected',
    status: 'True',
    when: cameTo('Connected'),
    message: () => closed('The DNS provider is connected; without a root domain no record is made'),
  },
  {
    reason: 'Ready',
    status: 'True',
    when: cameTo('Ready'),
    message: () => closed('The tunnel is published'),
  },
  {
    reason: 'Connecting',
    status: 'Unknown',
    when: () => true,
    message: () => closed('The DNS provider is being connected'),
  },
];
