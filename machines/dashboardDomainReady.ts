import { machineOf } from './machine.ts';

/** The transitions of a check, the same in every state. */
const checked = {
  probeAnswered: { target: 'Verified' },
  credentialsUnavailable: { target: 'Error' },
  credentialsIncomplete: { target: 'Error' },
  serviceMissing: { target: 'Error' },
  nodesUnlisted: { target: 'Error' },
  zoneUndecided: { target: 'ZoneRequired' },
  tunnelAwaited: { target: 'PendingTunnel' },
  recordRefused: { target: 'PendingDNS' },
  hostResolvedElsewhere: { target: 'PendingDNS' },
  probeUnanswered: { target: 'PendingHTTPS' },
} as const;

const again = { specChanged: { target: 'Unchecked' } } as const;
const pending = { ...again, ...checked, timeRanOut: { target: 'VerificationTimedOut' } } as const;

/** The condition DashboardDomainReady: the arrows of specs/tables/dashboardDomainReady.md, and no others. */
export const dashboardDomainReady = machineOf('dashboardDomainReady', {
  initial: 'Unchecked',
  states: {
    Unchecked: {
      meta: { ensures: [] },
      on: {
        ...checked,
        domainMissing: { target: 'NoDomain' },
      },
    },
    NoDomain: { meta: { ensures: [] }, on: again },
    PendingDNS: { meta: { ensures: [] }, on: pending },
    PendingHTTPS: { meta: { ensures: [] }, on: pending },
    PendingTunnel: { meta: { ensures: [] }, on: pending },
    ZoneRequired: { meta: { ensures: [] }, on: pending },
    Error: { meta: { ensures: [] }, on: pending },
    /** Only the probe is repeated; the rest of the check is not. */
    VerificationTimedOut: {
      meta: { ensures: [] },
      on: {
        ...again,
        probeAnswered: { target: 'Verified' },
        stayedUnverified: { target: 'VerificationTimedOut' },
      },
    },
    Verified: { meta: { ensures: [] }, on: again },
  },
});
