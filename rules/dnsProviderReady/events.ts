import type { DnsProviderReadyEvent, DnsProviderReadyState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import type { DnsProviderFacts } from './facts.ts';
import { closed, hidden, sentence } from '../words.ts';
import { keysMissing } from './ready.ts';

const rule = ruleFor<DnsProviderFacts, DnsProviderReadyState, DnsProviderReadyEvent['type']>();
const always = () => true;
const now = { afterMs: 0 };
const soon = { afterMs: 5_000 };
const seldom = { afterMs: 300_000 };

const set = [
  'Connecting',
  'Connected',
  'Ready',
  'CredentialsIncomplete',
  'CredentialsInvalid',
  'TunnelError',
  'TunnelTokenError',
  'TunnelConfigError',
  'DNSError',
] as const;

/** The events of the DNS provider, in the order checked. */
export const dnsProviderEvents: readonly EventRule<
  DnsProviderFacts,
  DnsProviderReadyState,
  DnsProviderReadyEvent['type']
>[] = [
  rule({
    id: 'connection-set',
    in: ['Absent'],
    when: ({ secret }) => secret !== '',
    then: 'connectionSet',
    says: ({ secret }) => sentence('spec.dnsConnectionRef names the Secret "{secret}"', { secret: hidden(secret) }),
    look: now,
  }),
  rule({
    id: 'stays-absent',
    in: ['Absent'],
    when: always,
    then: 'stayedAbsent',
    says: () => closed('spec.dnsConnectionRef is not set'),
  }),

  rule({
    id: 'connection-unset',
    in: set,
    when: ({ secret }) => secret === '',
    then: 'connectionUnset',
    says: () => closed('spec.dnsConnectionRef is no longer set'),
  }),
  rule({
    id: 'keys-missing',
    in: set,
    when: ({ missingKeys }) => missingKeys.length > 0,
    then: 'keysMissing',
    says: keysMissing,
    look: seldom,
  }),
  rule({
    id: 'credentials-refused',
    in: set,
    needs: ['credentials'],
    when: ({ credentials }) => credentials.value === 'refused',
    then: 'credentialsRefused',
    says: ({ secret }) =>
      sentence('the provider refuses the credentials of Secret "{secret}"', { secret: hidden(secret) }),
    look: seldom,
  }),
  rule({
    id: 'tunnel-failed',
    in: set,
    when: ({ failure }) => failure?.at === 'tunnel',
    then: 'tunnelFailed',
    says: ({ failure }) => sentence('the tunnel cannot be created or read: {why}', { why: hidden(failure?.why ?? '') }),
    look: soon,
  }),
  rule({
    id: 'token-failed',
    in: set,
    when: ({ failure }) => failure?.at === 'token',
    then: 'tokenFailed',
    says: ({ failure }) => sentence("the tunnel's token cannot be read: {why}", { why: hidden(failure?.why ?? '') }),
    look: soon,
  }),
  rule({
    id: 'routes-failed',
    in: set,
    when: ({ failure }) => failure?.at === 'routes',
    then: 'routesFailed',
    says: ({ failure }) =>
      sentence("the tunnel's routes cannot be published: {why}", { why: hidden(failure?.why ?? '') }),
    look: soon,
  }),
  rule({
    id: 'record-failed',
    in: set,
    when: ({ failure }) => failure?.at === 'record',
    then: 'recordFailed',
    says: ({ failure }) =>
      sentence('a DNS record cannot be read or written: {why}', { why: hidden(failure?.why ?? '') }),
    look: soon,
  }),
  rule({
    id: 'pieces-due',
    in: set,
    needs: ['duePieces'],
    when: ({ duePieces }) => duePieces.value.length > 0,
    then: 'piecesDue',
    says: ({ duePieces }) => sentence('to be sent: {duePieces}', { duePieces: hidden(duePieces.value.join(', ')) }),
    look: now,
  }),
  rule({
    id: 'record-in-place',
    in: set,
    when: ({ exposure }) => exposure === 'ingress',
    then: 'connected',
    says: ({ rootDomain }) =>
      rootDomain === ''
        ? closed('the credentials are valid')
        : closed('the credentials are valid and the record exists'),
    look: seldom,
  }),
  rule({
    id: 'tunnel-in-place',
    in: set,
    when: always,
    then: 'tunnelPublished',
    says: () => closed('the tunnel, its token, its routes and its records are in place'),
    look: seldom,
  }),
];
