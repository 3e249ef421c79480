import type { VerdictRule } from '../verdict.ts';
import type { Refusal } from './facts.ts';
import { type AddressRange, isAddress, rangeOf } from './range.ts';
import { closed, hidden, type Message, sentence } from '../words.ts';

/** The target of a webhook: its URL, and the address that its name resolves to at connection time. */
export interface WebhookAddress {
  /** Host of the URL, without brackets. */
  readonly host: string;
  /** The URL has a user name, a password or a fragment. */
  readonly extras: boolean;
  /** The resolved address; null before the connection is made. */
  readonly ip: string | null;
  /** `CORE_WEBHOOKS_ALLOW_PRIVATE_NETWORKS=true`. */
  readonly allowPrivate: boolean;
}

/** The message about a refused address. */
export function refusalText(refusal: Refusal): Message {
  switch (refusal.by) {
    case 'privateAddress':
      return closed('webhook URL cannot point at a private network address');
    case 'urlForm':
      return closed('webhook URL cannot carry a user name, password or fragment');
    case 'connection':
      return sentence('refusing to connect to {ip}', { ip: hidden(refusal.ip) });
  }
}

/** The range of a host that is itself an address or means this host; a name counts as public until it is resolved. */
const hostRange = (host: string): AddressRange => {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (name === '' || name === 'localhost' || name.endsWith('.localhost')) return 'local';
  return name.includes(':') || isAddress(name) ? rangeOf(name) : 'public';
};

const privateText = () => refusalText({ by: 'privateAddress' });
const connectionText = ({ ip }: WebhookAddress) => refusalText({ by: 'connection', ip: ip ?? '' });
const ipRange = ({ ip }: WebhookAddress) => (ip === null ? 'public' : rangeOf(ip));

/** Whether a webhook may be called, in the order checked. */
export const webhookAddress: readonly VerdictRule<WebhookAddress>[] = [
  {
    reason: 'UrlRefused',
    status: 'False',
    when: ({ extras }) => extras,
    message: () => refusalText({ by: 'urlForm' }),
  },
  {
    reason: 'LocalUrl',
    status: 'False',
    when: ({ host }) => hostRange(host) === 'local',
    message: privateText,
  },
  {
    reason: 'PrivateUrl',
    status: 'False',
    when: ({ host, allowPrivate }) => !allowPrivate && hostRange(host) === 'private',
    message: privateText,
  },
  {
    reason: 'LocalConnection',
    status: 'False',
    when: (address) => ipRange(address) === 'local',
    message: connectionText,
  },
  {
    reason: 'PrivateConnection',
    status: 'False',
    when: (address) => !address.allowPrivate && ipRange(address) === 'private',
    message: connectionText,
  },
  {
    reason: 'Allowed',
    status: 'True',
    when: () => true,
    message: ({ host }) => sentence('{host} may be called', { host: hidden(host) }),
  },
];
