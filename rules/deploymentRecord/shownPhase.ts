import type { VerdictRule } from '../verdict.ts';

/** `status.phase` of a record, empty in one of an older release. */
export interface PhaseStored {
  readonly phase: string;
}

/** The displayed phase: the message is the label. */
export const shownPhase: readonly VerdictRule<PhaseStored, string>[] = [
  { reason: 'Missing', status: 'Unknown', when: ({ phase }) => phase === '', message: () => 'Recorded' },
  { reason: 'Skipped', status: 'False', when: ({ phase }) => phase === 'skipped', message: () => 'Skipped' },
  { reason: 'Phase', status: 'True', when: () => true, message: ({ phase }) => phase },
];
