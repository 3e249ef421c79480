import { machineOf } from './machine.ts';

/** The transitions of a check that are the same in every state. */
const checked = {
  probeAnswered: { target: 'Verified', actions: 'report' },
  credentialsUnavailable: { target: 'Error', actions: 'report' },
  credentialsIncomplete: { target: 'Error', actions: 'report' },
  serviceMissing: { target: 'Error', actions: 'report' },
  nodesUnlisted: { target: 'Error', actions: 'report' },
  zoneUndecided: { target: 'ZoneRequired', actions: 'report' },
  tunnelAwaited: { target: 'PendingTunnel', actions: 'report' },
  recordRefused: { target: 'PendingDNS', actions: 'report' },
  hostResolvedElsewhere: { target: 'PendingDNS', actions: 'report' },
  probeUnanswered: { target: 'PendingHTTPS', actions: 'report' },
} as const;

const again = { specChanged: { target: 'Unchecked', actions: 'report' } } as const;
const pending = { ...again, ...checked, timeRanOut: { target: 'VerificationTimedOut', actions: 'report' } } as const;

/** The condition DashboardDomainReady: the arrows of specs/tables/dashboardDomainReady.md, and no others. */
export const dashboardDomainReady = machineOf('dashboardDomainReady', {
  initial: 'Unchecked',
  states: {
    Unchecked: {
      meta: { ensures: [] },
      on: {
        ...checked,
        recordAwaited: { target: 'Unchecked' },
        domainMissing: { target: 'NoDomain', actions: 'report' },
      },
    },
    NoDomain: { meta: { ensures: [] }, on: again },
    PendingDNS: { meta: { ensures: [] }, on: { ...pending, recordAwaited: { target: 'PendingDNS' } } },
    PendingHTTPS: { meta: { ensures: [] }, on: { ...pending, recordAwaited: { target: 'PendingHTTPS' } } },
    PendingTunnel: { meta: { ensures: [] }, on: { ...pending, recordAwaited: { target: 'PendingTunnel' } } },
    ZoneRequired: { meta: { ensures: [] }, on: { ...pending, recordAwaited: { target: 'ZoneRequired' } } },
    Error: { meta: { ensures: [] }, on: { ...pending, recordAwaited: { target: 'Error' } } },
    /** Only the probe is repeated; the rest of the check is not. */
    VerificationTimedOut: {
      meta: { ensures: [] },
      on: {
        ...again,
        probeAnswered: { target: 'Verified', actions: 'report' },
        stayedUnverified: { target: 'VerificationTimedOut', actions: 'report' },
      },
    },
    Verified: { meta: { ensures: [] }, on: again },
  },
});
