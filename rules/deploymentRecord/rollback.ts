import type { VerdictRule } from '../verdict.ts';
import type { RecordedSource } from './recordedSource.ts';
import { closed, sentence, toViewers } from '../words.ts';

/** A rollback request, and the record that it names. */
export interface RollbackAsked {
  readonly app: string;
  readonly source: RecordedSource['source'];
  /** The requested name, empty when none was given. */
  readonly revision: string;
  /** The label `app` of that record, null when there is no such record. */
  readonly appLabel: string | null;
}

const otherAppMessage = () => closed('deployment revision does not belong to app');

/** The answer to a rollback request, in the order checked. */
export const rollbackAnswer: readonly VerdictRule<RollbackAsked>[] = [
  {
    reason: 'FunctionRefused',
    status: 'False',
    when: ({ source }) => source === 'function',
    message: () => closed('functions cannot be rolled back; restore the earlier code and deploy again'),
  },
  // The controller's own record never counts as one of the service, whatever its labels.
  {
    reason: 'ActiveRefused',
    status: 'False',
    when: ({ app, revision }) => revision === `${app}-active`,
    message: otherAppMessage,
  },
  {
    reason: 'ForeignRefused',
    status: 'False',
    when: ({ app, revision, appLabel }) => revision === '' || appLabel !== app,
    message: otherAppMessage,
  },
  {
    reason: 'GitRolledBack',
    status: 'True',
    when: ({ source }) => source === 'git',
    message: ({ revision }) =>
      sentence('replicas of {revision} deployed; commit and branch stay', { revision: toViewers(revision) }),
  },
  {
    reason: 'ImageRolledBack',
    status: 'True',
    when: () => true,
    message: ({ revision }) => sentence('image and replicas of {revision} deployed', { revision: toViewers(revision) }),
  },
];
