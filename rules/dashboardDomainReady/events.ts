import type { DashboardDomainReadyEvent, DashboardDomainReadyState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import type { DashboardDomainFacts } from './facts.ts';

/** How long a domain is pending before its verification times out. */
export const dashboardDomainLimits = { pendingMs: 900_000 } as const;
type Limits = Readonly<Record<keyof typeof dashboardDomainLimits, number>>;

const rule = ruleFor<DashboardDomainFacts, DashboardDomainReadyState, DashboardDomainReadyEvent['type']>();
const always = () => true;
const soon = { afterMs: 5_000 };
const seldom = { afterMs: 300_000 };

const pending = ['PendingDNS', 'PendingHTTPS', 'PendingTunnel', 'ZoneRequired', 'Error'] as const;
const checked = ['Unchecked', ...pending] as const;

/** What a check of the dashboard's domain found, in the order checked. */
export const dashboardDomainEventsWith = (
  limits: Limits,
): readonly EventRule<DashboardDomainFacts, DashboardDomainReadyState, DashboardDomainReadyEvent['type']>[] => [
  rule({
    id: 'spec-changed',
    in: ['NoDomain', ...pending, 'VerificationTimedOut', 'Verified'],
    when: ({ generation, checkedGeneration }) => generation !== checkedGeneration,
    then: 'specChanged',
    says: ({ generation }) => `generation ${generation} was not checked yet`,
    look: { afterMs: 0 },
  }),
  rule({
    id: 'no-domain',
    in: ['Unchecked'],
    when: ({ rootDomain }) => rootDomain === '',
    then: 'domainMissing',
    says: () => 'no root domain is set',
  }),
  // The probe alone suffices, whatever else is amiss: a proxied host never resolves to the public IP (decision 106).
  rule({
    id: 'probe-answers',
    in: [...checked, 'VerificationTimedOut'],
    needs: ['probe'],
    when: ({ probe }) => probe.value === 'answers',
    then: 'probeAnswered',
    says: ({ host }) => `https://${host}/core-probe answers`,
  }),
  rule({
    id: 'timed-out',
    in: pending,
    when: ({ now, pendingSince }) => pendingSince !== null && now - pendingSince >= limits.pendingMs,
    then: 'timeRanOut',
    says: ({ host }) => `${host} was not verified within ${limits.pendingMs / 60_000} minutes`,
    look: seldom,
  }),
  rule({
    id: 'credentials-unavailable',
    in: checked,
    when: ({ credentials }) => credentials === 'unavailable',
    then: 'credentialsUnavailable',
    says: ({ secret }) => `Secret "${secret}" with the DNS credentials was not found`,
    look: soon,
  }),
  rule({
    id: 'credentials-incomplete',
    in: checked,
    when: ({ credentials }) => credentials === 'incomplete',
    then: 'credentialsIncomplete',
    says: ({ secret }) => `Secret "${secret}" lacks a key of the DNS credentials`,
    look: soon,
  }),
  rule({
    id: 'service-missing',
    in: checked,
    when: ({ serviceFound }) => !serviceFound,
    then: 'serviceMissing',
    says: () => "the dashboard's Service was not found",
    look: soon,
  }),
  rule({
    id: 'nodes-unlisted',
    in: checked,
    needs: ['nodes'],
    when: ({ nodes }) => nodes.value === 'refused',
    then: 'nodesUnlisted',
    says: () => 'the nodes could not be listed, so the public IP is not known',
    look: soon,
  }),
  rule({
    id: 'zone-undecided',
    in: checked,
    needs: ['zone'],
    when: ({ zone }) => zone.value === 'undecided',
    then: 'zoneUndecided',
    says: ({ rootDomain }) => `none of several DNS zones matches ${rootDomain}`,
    look: soon,
  }),
  rule({
    id: 'tunnel-awaited',
    in: checked,
    when: ({ exposure, tunnelHostname }) => exposure === 'tunnel' && tunnelHostname === '',
    then: 'tunnelAwaited',
    says: () => 'the tunnel has no hostname yet',
    look: soon,
  }),
  rule({
    id: 'record-refused',
    in: checked,
    needs: ['dns'],
    when: ({ dns }) => dns.value.is === 'recordRefused',
    then: 'recordRefused',
    says: ({ host, dns }) =>
      `the DNS record of ${host} could not be created: ${dns.value.is === 'recordRefused' ? dns.value.why : ''}`,
    look: soon,
  }),
  rule({
    id: 'resolves-elsewhere',
    in: checked,
    needs: ['dns'],
    when: ({ exposure, dns }) => exposure === 'ingress' && dns.value.is === 'elsewhere',
    then: 'hostResolvedElsewhere',
    says: ({ host }) => `${host} does not resolve to the public IP of the cluster`,
    look: soon,
  }),
  rule({
    id: 'probe-silent',
    in: checked,
    when: always,
    then: 'probeUnanswered',
    says: ({ host }) => `https://${host}/core-probe does not answer yet`,
    look: soon,
  }),
  rule({
    id: 'still-silent',
    in: ['VerificationTimedOut'],
    when: always,
    then: 'stayedUnverified',
    says: ({ host }) => `https://${host}/core-probe still does not answer`,
    look: seldom,
  }),
];
export const dashboardDomainEvents = dashboardDomainEventsWith(dashboardDomainLimits);
