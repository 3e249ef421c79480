import { serviceWaits } from '../draftDeploy/gate.ts';
import { outcomeBy } from '../provisionRetry/outcome.ts';
import type { PassOutcome } from '../provisionRetry/facts.ts';
import { type TriedDeploy, deployedRows, type Leaving, leavingRow, otherwise } from '../provision/ready.ts';
import type { VerdictRule } from '../verdict.ts';
import { byCopies, firstOf } from '../cause/rule.ts';
import { byUnwritten } from '../cause/unwritten.ts';
import { open } from '../words.ts';
import type { ServiceSeen } from './facts.ts';
import { blockers } from './blockers.ts';

/** A service with the states that its machines reached. */
export interface ServiceStanding
  extends ServiceSeen, Pick<TriedDeploy, 'retrying' | 'gaveUp'>, Pick<Leaving, 'leaving'> {}

/** The Ready condition of a service, in the order checked. */
export const serviceReady: readonly VerdictRule<ServiceStanding>[] = [
  leavingRow('deletion', open('Service is being deleted')),
  ...deployedRows<ServiceStanding>(serviceWaits),
  ...blockers,
  {
    reason: 'ServiceAsleep',
    status: 'True',
    when: ({ workload, pods }) => workload === 'current' && pods === 'asleep',
    message: () => open('Service is asleep'),
  },
  {
    reason: 'ServiceReady',
    status: 'True',
    when: ({ workload, pods }) => workload === 'current' && pods === 'running',
    message: () => open('Service is running'),
    cause: byCopies,
  },
  otherwise(open('Service is being provisioned'), firstOf<ServiceStanding>(byCopies, byUnwritten)),
];

/** The outcome of a pass: what Ready would report if it had not given up. */
export const serviceOutcome = (seen: ServiceSeen): PassOutcome =>
  outcomeBy(serviceReady, { ...seen, retrying: false, gaveUp: null, leaving: null });
