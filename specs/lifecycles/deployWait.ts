import { deployWait } from '../../machines/deployWait.ts';
import { deployWaitEvents, deployWaitEventsWith } from '../../rules/deployWait/events.ts';
import { waitLimits } from '../../rules/deployWait/facts.ts';
import { deployProgress } from '../../rules/deployWait/progress.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents, documentsOfProgress } from './deployWait/documents.ts';
import { facts, invalid } from './deployWait/facts.ts';
import { model } from './deployWait/model.ts';

/** The check of the command line's wait. */
export const lifecycle = subject({
  name: 'deployWait',
  machine: deployWait,
  rules: deployWaitEvents,
  files: { machine: 'machines/deployWait.ts', rules: 'rules/deployWait/events.ts' },
  limits: {
    values: waitLimits,
    elsewhere: ['pollMs'],
    rules: (values) => deployWaitEventsWith({ ...waitLimits, ...values }),
  },
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Progress: verdictSubject({
      table: deployProgress,
      file: 'rules/deployWait/progress.ts',
      facts,
      documents: documentsOfProgress,
    }),
  },
  model,
});
