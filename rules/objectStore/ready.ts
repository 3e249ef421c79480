import { resourceWaits } from '../draftDeploy/gate.ts';
import { type TriedDeploy, deployedRows, type Leaving, leavingRow } from '../provision/ready.ts';
import type { PassOutcome } from '../provisionRetry/facts.ts';
import { outcomeBy } from '../provisionRetry/outcome.ts';
import type { VerdictRule } from '../verdict.ts';
import { hidden, open, sentence } from '../words.ts';
import { byUnremoved } from './causes.ts';
import type { ObjectStoreSeen } from './facts.ts';
import { objectStoreBlockers } from './blockers.ts';

/** An object store with the states that its machines reached. */
export interface ObjectStoreStanding
  extends ObjectStoreSeen, Pick<TriedDeploy, 'retrying' | 'gaveUp'>, Pick<Leaving, 'leaving'> {
  /** Why its created objects could not be removed; empty when nothing blocks. */
  readonly unremoved: string;
}

/** The Ready condition of an object store, in the order checked. */
export const objectStoreReady: readonly VerdictRule<ObjectStoreStanding>[] = [
  {
    reason: 'ReconcileError',
    status: 'False',
    when: ({ leaving, failure, unremoved }) => leaving === 'deletion' && failure === null && unremoved !== '',
    message: ({ unremoved }) => sentence('Object store is being deleted: {why}', { why: hidden(unremoved) }),
    cause: byUnremoved,
  },
  leavingRow('deletion', open('Object store is being deleted')),
  ...deployedRows<ObjectStoreStanding>(resourceWaits),
  ...objectStoreBlockers,
  {
    reason: 'ObjectStoreReady',
    status: 'True',
    when: ({ mode }) => mode === 'Server',
    message: () => open('Object store server is available'),
  },
  { reason: 'ObjectStoreReady', status: 'True', when: () => true, message: () => open('Bucket is available') },
];

/** The outcome of a pass: what Ready would report if it had not given up. */
export const objectStoreOutcome = (seen: ObjectStoreSeen): PassOutcome =>
  outcomeBy(objectStoreReady, { ...seen, retrying: false, gaveUp: null, leaving: null, unremoved: '' });
