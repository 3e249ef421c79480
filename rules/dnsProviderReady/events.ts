import type { DnsProviderReadyEvent, DnsProviderReadyState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import { type DnsProviderFacts, failureOf, type Stage } from './facts.ts';
import { closed, hidden, sentence } from '../words.ts';
import { keysMissing } from './ready.ts';

const rule = ruleFor<DnsProviderFacts, DnsProviderReadyState, DnsProviderReadyEvent['type']>();
const always = () => true;
const now = { afterMs: 0 };
/** A rate limit states its end; other failures are retried soon. */
const soon = {
  afterMs: 5_000,
  reset: ({ limitedUntil }: Pick<DnsProviderFacts, 'limitedUntil'>) => limitedUntil ?? undefined,
};
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

type Failing = Pick<DnsProviderFacts, 'failure' | 'provider'>;
const failedAt = (at: Stage) => (facts: Failing) => failureOf(facts)?.at === at;
const why = (facts: Failing) => hidden(failureOf(facts)?.why ?? '');

/** The most hosts named in a message, because hundreds may be due. */
const maxNamed = 3;
const textOf = (due: readonly string[]): string => {
  const named = due.slice(0, maxNamed).join(', ');
  return due.length > maxNamed ? `${named} and ${due.length - maxNamed} more` : named;
};

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
    id: 'mode-changed',
    in: ['Connected'],
    when: ({ exposure }) => exposure === 'tunnel',
    then: 'modeChanged',
    says: () => closed('tunnel mode was chosen'),
    look: now,
  }),
  rule({
    id: 'keys-missing',
    in: set,
    when: ({ missingKeys }) => missingKeys.length > 0,
    then: 'keysMissing',
    says: keysMissing,
  }),
  rule({
    id: 'credentials-refused',
    in: set,
    needs: ['provider'],
    when: ({ provider }) => provider.value.credentials === 'refused',
    then: 'credentialsRefused',
    says: ({ secret }) =>
      sentence('the provider refuses the credentials of Secret "{secret}"', { secret: hidden(secret) }),
    look: seldom,
  }),
  rule({
    id: 'tunnel-failed',
    in: set,
    needs: ['provider'],
    when: failedAt('tunnel'),
    then: 'tunnelFailed',
    says: (facts) => sentence('the tunnel cannot be created or read: {why}', { why: why(facts) }),
    look: soon,
  }),
  rule({
    id: 'token-failed',
    in: set,
    needs: ['provider'],
    when: failedAt('token'),
    then: 'tokenFailed',
    says: (facts) => sentence("the tunnel's token cannot be read: {why}", { why: why(facts) }),
    look: soon,
  }),
  rule({
    id: 'routes-failed',
    in: set,
    needs: ['provider'],
    when: failedAt('routes'),
    then: 'routesFailed',
    says: (facts) => sentence("the tunnel's routes cannot be published: {why}", { why: why(facts) }),
    look: soon,
  }),
  rule({
    id: 'record-failed',
    in: set,
    needs: ['provider'],
    when: failedAt('record'),
    then: 'recordFailed',
    says: (facts) => sentence('a DNS record cannot be read or written: {why}', { why: why(facts) }),
    look: soon,
  }),
  rule({
    id: 'pieces-due',
    in: set,
    needs: ['provider'],
    when: ({ provider }) => provider.value.due.length > 0,
    then: 'piecesDue',
    says: ({ provider }) => sentence('to be sent: {due}', { due: hidden(textOf(provider.value.due)) }),
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
