import type { VerdictRule } from '../verdict.ts';
import type { RecordedSource } from './recordedSource.ts';

/** `spec.changeTitle` of a record: the message is the value that is written. */
export const recordedTitle: readonly VerdictRule<RecordedSource, string>[] = [
  {
    reason: 'Function',
    status: 'True',
    when: ({ source }) => source === 'function',
    message: ({ runtime }) => `Deploy function (${runtime})`,
  },
  {
    reason: 'Git',
    status: 'True',
    when: ({ source }) => source === 'git',
    message: ({ repository, branch }) => `Deploy ${repository}@${branch}`,
  },
  { reason: 'Image', status: 'True', when: () => true, message: ({ image }) => `Deploy ${image}` },
];
