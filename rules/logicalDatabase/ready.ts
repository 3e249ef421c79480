import type { VerdictRule } from '../verdict.ts';
import type { LogicalDatabaseSeen } from './facts.ts';
import { creating, fitting, type Obstacle, reading } from './obstacles.ts';
import { closed } from '../words.ts';
import { provisioningFailed, retrying } from '../provisionRetry/says.ts';

const verdictOf = ({ weighs, when, message }: Obstacle<LogicalDatabaseSeen>): VerdictRule<LogicalDatabaseSeen> => ({
  reason: weighs === 'permanent' ? 'ProvisionFailed' : 'ReconcileError',
  status: 'False',
  when,
  message,
});

/** The Ready condition of a logical database, in the order checked. */
export const logicalDatabaseReady: readonly VerdictRule<LogicalDatabaseSeen>[] = [
  // The last counted failure remains only in the errors of the attempt.
  {
    reason: 'ProvisionFailed',
    status: 'False',
    when: ({ moved }) => moved === 'gaveUp',
    message: () => provisioningFailed,
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: ({ moved }) => moved === 'retried',
    message: () => retrying,
  },
  ...fitting.map(verdictOf),
  ...reading.map(verdictOf),
  ...creating.map(verdictOf),
  {
    reason: 'LogicalDatabaseReady',
    status: 'True',
    when: () => true,
    message: () => closed('Logical database connection is available'),
  },
];
