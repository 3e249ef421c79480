import type { VerdictRule } from '../verdict.ts';
import type { RecordedSource } from './recordedSource.ts';

/** `spec.source` of a record: the message is the value that is written. */
export const recordedBy: readonly VerdictRule<Pick<RecordedSource, 'source'>, string>[] = [
  { reason: 'Git', status: 'True', when: ({ source }) => source === 'git', message: () => 'GitHost' },
  { reason: 'Other', status: 'True', when: () => true, message: () => 'Dashboard' },
];
