import type { VerdictRule } from '../verdict.ts';
import type { DeployedKind } from './facts.ts';
import { hasGate } from './stands.ts';

/** What the REST API, the command line and the agent tools look at to name the state of a resource. */
export interface ReportedSeen {
  readonly kind: DeployedKind;
  readonly deleting: boolean;
  readonly enabled: boolean;
  /** The controller has looked at the resource since its newest deploy. */
  readonly deploySeen: boolean;
  readonly ready: boolean;
  readonly readyReason: string;
}

/** The state that is reported, in the order checked: its word is the message. */
export const reported: readonly VerdictRule<ReportedSeen>[] = [
  { reason: 'Deleting', status: 'False', when: ({ deleting }) => deleting, message: () => 'deleting' },
  {
    reason: 'Draft',
    status: 'False',
    when: ({ kind, enabled }) => hasGate(kind) && !enabled,
    message: () => 'draft',
  },
  // What Ready says is about the deploy before, until this one was taken up.
  { reason: 'Unseen', status: 'Unknown', when: ({ deploySeen }) => !deploySeen, message: () => 'pending' },
  { reason: 'Ready', status: 'True', when: ({ ready }) => ready, message: () => 'ready' },
  {
    reason: 'Failed',
    status: 'False',
    when: ({ readyReason }) => readyReason === 'ProvisionFailed',
    message: () => 'failed',
  },
  { reason: 'Pending', status: 'Unknown', when: () => true, message: () => 'pending' },
];
