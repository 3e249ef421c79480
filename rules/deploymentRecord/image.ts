import type { VerdictRule } from '../verdict.ts';
import type { RecordedSource } from './recordedSource.ts';

type Text = VerdictRule<RecordedSource, string>;
const isFunction = ({ source }: RecordedSource) => source === 'function';
const isGit = ({ source }: RecordedSource) => source === 'git';
const always = () => true;
const branchOf = ({ repository, branch }: RecordedSource) => `${repository}@${branch}`;

/** `spec.image` of a record: the message is the value that is written. */
export const recordedImage: readonly Text[] = [
  { reason: 'Function', status: 'True', when: isFunction, message: ({ runtime }) => `function:${runtime}` },
  {
    reason: 'Built',
    status: 'True',
    when: (seen) => isGit(seen) && seen.built !== '',
    message: ({ built }) => built,
  },
  { reason: 'Unbuilt', status: 'True', when: isGit, message: branchOf },
  { reason: 'Image', status: 'True', when: always, message: ({ image }) => image },
];
