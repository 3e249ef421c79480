import { serviceWaits } from '../draftDeploy/gate.ts';
import { outcomeBy } from '../provisionRetry/outcome.ts';
import type { PassOutcome } from '../provisionRetry/facts.ts';
import { provisioningFailed, retrying } from '../provisionRetry/says.ts';
import type { VerdictRule } from '../verdict.ts';
import { closed, nothing, open, type Said } from '../words.ts';
import type { ServiceSeen } from './facts.ts';
import { hindrances } from './hindrance.ts';

/** A service with the states that its machines reached. */
export interface ServiceStanding extends ServiceSeen {
  /** Retry was answered, and no pass has followed. */
  readonly retrying: boolean;
  readonly gaveUp: { readonly by: 'failures' } | { readonly by: 'permanentError'; readonly why: Said } | null;
}

/** The Ready condition of a service, in the order checked. */
export const serviceReady: readonly VerdictRule<ServiceStanding>[] = [
  {
    reason: 'ReconcileError',
    status: 'False',
    when: ({ gate }) => gate === 'Draft',
    message: () => serviceWaits,
    counts: 'waiting',
  },
  { reason: 'ReconcileError', status: 'False', when: (seen) => seen.retrying, message: () => retrying },
  {
    reason: 'ProvisionFailed',
    status: 'False',
    when: ({ gaveUp }) => gaveUp?.by === 'failures',
    message: () => provisioningFailed,
  },
  {
    reason: 'ProvisionFailed',
    status: 'False',
    when: ({ gaveUp }) => gaveUp !== null,
    message: ({ gaveUp }) => (gaveUp?.by === 'permanentError' ? gaveUp.why : nothing),
  },
  ...hindrances,
  {
    reason: 'ServiceReady',
    status: 'True',
    when: ({ workload, pods }) => workload === 'current' && pods === 'running',
    message: () => open('Service is running'),
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: () => true,
    message: () => closed('Service is being provisioned'),
    counts: 'waiting',
  },
];

/** The outcome of a pass: what Ready would report if the service had not been given up. */
export const serviceOutcome = (seen: ServiceSeen): PassOutcome =>
  outcomeBy(serviceReady, { ...seen, retrying: false, gaveUp: null });
