import type { DashboardDomainReadyEvent, DashboardDomainReadyState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import type { DashboardDomainFacts } from './facts.ts';
import { closed, hidden, sentence, toViewers } from '../words.ts';
import { unresolved } from './ready.ts';

/** How long a domain is pending before its verification times out. */
export const dashboardDomainLimits = { pendingMs: 900_000 } as const;
type Limits = Readonly<Record<keyof typeof dashboardDomainLimits, number>>;

const rule = ruleFor<DashboardDomainFacts, DashboardDomainReadyState, DashboardDomainReadyEvent['type']>();
const always = () => true;
const soon = { afterMs: 5_000 };
const seldom = { afterMs: 300_000 };

const pending = ['PendingDNS', 'PendingHTTPS', 'PendingTunnel', 'ZoneRequired', 'Error'] as const;
const checked = ['Unchecked', ...pending] as const;

/** The events of a check of the dashboard's domain, in the order checked. */
export const dashboardDomainEventsWith = (
  limits: Limits,
): readonly EventRule<DashboardDomainFacts, DashboardDomainReadyState, DashboardDomainReadyEvent['type']>[] => [
  rule({
    id: 'spec-changed',
    in: ['NoDomain', ...pending, 'VerificationTimedOut', 'Verified'],
    when: ({ generation, checkedGeneration }) => generation !== checkedGeneration,
    then: 'specChanged',
    says: ({ generation }) =>
      sentence('generation {generation} is not checked yet', { generation: toViewers(generation) }),
    look: { afterMs: 0 },
  }),
  rule({
    id: 'no-domain',
    in: ['Unchecked'],
    when: ({ rootDomain }) => rootDomain === '',
    then: 'domainMissing',
    says: () => closed('neither spec.rootDomain nor spec.dashboardURL gives a root domain'),
  }),
  // A successful probe suffices whatever else fails, because a proxied host never resolves to the public IP (decision
  // 106).
  rule({
    id: 'probe-answers',
    in: [...checked, 'VerificationTimedOut'],
    needs: ['probe'],
    when: ({ probe }) => probe.value.is === 'answers',
    then: 'probeAnswered',
    says: ({ host }) => sentence('https://{host}/core-probe answers', { host: hidden(host) }),
  }),
  rule({
    id: 'timed-out',
    in: pending,
    when: ({ now, pendingSince }) => pendingSince !== null && now - pendingSince >= limits.pendingMs,
    then: 'timeRanOut',
    says: ({ host }) =>
      sentence('{host} was not verified within {pendingMs} minutes', {
        host: hidden(host),
        pendingMs: toViewers(limits.pendingMs / 60_000),
      }),
    look: seldom,
  }),
  rule({
    id: 'credentials-unavailable',
    in: checked,
    when: ({ credentials }) => credentials === 'unavailable',
    then: 'credentialsUnavailable',
    says: ({ secret }) =>
      sentence('Secret "{secret}" with the DNS credentials was not found', { secret: hidden(secret) }),
    look: soon,
  }),
  rule({
    id: 'credentials-incomplete',
    in: checked,
    when: ({ credentials }) => credentials === 'incomplete',
    then: 'credentialsIncomplete',
    says: ({ secret }) => sentence('Secret "{secret}" lacks a key of the DNS credentials', { secret: hidden(secret) }),
    look: soon,
  }),
  rule({
    id: 'service-missing',
    in: checked,
    when: ({ serviceFound }) => !serviceFound,
    then: 'serviceMissing',
    says: () => closed("the dashboard's Service was not found"),
    look: soon,
  }),
  rule({
    id: 'nodes-unlisted',
    in: checked,
    needs: ['nodes'],
    when: ({ nodes }) => nodes.value === 'refused',
    then: 'nodesUnlisted',
    says: () => closed('the nodes could not be listed, so the public IP is not known'),
    look: soon,
  }),
  rule({
    id: 'zone-undecided',
    in: checked,
    needs: ['zone'],
    when: ({ zone }) => zone.value === 'undecided',
    then: 'zoneUndecided',
    says: ({ rootDomain }) =>
      sentence('none of several DNS zones matches {rootDomain}', { rootDomain: hidden(rootDomain) }),
    look: soon,
  }),
  rule({
    id: 'tunnel-awaited',
    in: checked,
    when: ({ exposure, tunnelHostname }) => exposure === 'tunnel' && tunnelHostname === '',
    then: 'tunnelAwaited',
    says: () => closed('waiting for the hostname of the tunnel'),
    look: soon,
  }),
  rule({
    id: 'record-awaited',
    in: checked,
    needs: ['dns'],
    when: ({ dns }) => dns.value.is === 'recordAwaited',
    then: 'recordAwaited',
    says: ({ host }) => sentence('waiting for the DNS record of {host}', { host: hidden(host) }),
    look: soon,
  }),
  rule({
    id: 'record-refused',
    in: checked,
    needs: ['dns'],
    when: ({ dns }) => dns.value.is === 'recordRefused',
    then: 'recordRefused',
    says: ({ host, dns }) =>
      sentence('the DNS record of {host} could not be created: {why}', {
        host: hidden(host),
        why: hidden(dns.value.is === 'recordRefused' ? dns.value.why : ''),
      }),
    look: soon,
  }),
  rule({
    id: 'resolves-elsewhere',
    in: checked,
    needs: ['dns'],
    when: ({ exposure, dns }) => exposure === 'ingress' && dns.value.is === 'elsewhere',
    then: 'hostResolvedElsewhere',
    says: unresolved,
    look: soon,
  }),
  rule({
    id: 'probe-silent',
    in: checked,
    when: always,
    then: 'probeUnanswered',
    says: ({ host }) => sentence('https://{host}/core-probe does not answer yet', { host: hidden(host) }),
    look: soon,
  }),
  rule({
    id: 'still-silent',
    in: ['VerificationTimedOut'],
    when: always,
    then: 'stayedUnverified',
    says: ({ host }) => sentence('https://{host}/core-probe still does not answer', { host: hidden(host) }),
    look: seldom,
  }),
];
export const dashboardDomainEvents = dashboardDomainEventsWith(dashboardDomainLimits);
