import type { VerdictRule } from '../verdict.ts';

/** What the state in API, CLI and agent tools is read from, for any kind that has a Ready condition. */
export interface StateSeen {
  readonly deleting: boolean;
  /** Whether the kind has `spec.deploy`; a logical database has none and is never a draft. */
  readonly hasGate: boolean;
  readonly deployEnabled: boolean;
  readonly ready: boolean;
  readonly reason: string;
}

/** The state that API, CLI and agent tools report. The gate counts here even without the workflow annotation. */
export const databaseState: readonly VerdictRule<StateSeen>[] = [
  { reason: 'Deleting', status: 'Unknown', when: ({ deleting }) => deleting, message: () => 'deleting' },
  {
    reason: 'Draft',
    status: 'Unknown',
    when: ({ hasGate, deployEnabled }) => hasGate && !deployEnabled,
    message: () => 'draft',
  },
  { reason: 'Ready', status: 'Unknown', when: ({ ready }) => ready, message: () => 'ready' },
  { reason: 'Failed', status: 'Unknown', when: ({ reason }) => reason === 'ProvisionFailed', message: () => 'failed' },
  { reason: 'Pending', status: 'Unknown', when: () => true, message: () => 'pending' },
];
