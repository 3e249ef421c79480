import { pullRequestEnvironment } from '../../machines/pullRequestEnvironment.ts';
import {
  pullRequestEnvironmentEvents,
  pullRequestEnvironmentEventsWith,
} from '../../rules/pullRequestEnvironment/events.ts';
import { pullRequestLimits } from '../../rules/pullRequestEnvironment/facts.ts';
import { pullRequestNote } from '../../rules/pullRequestEnvironment/note.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents, documentsOfNote } from './pullRequestEnvironment/documents.ts';
import { facts, invalid } from './pullRequestEnvironment/facts.ts';
import { model } from './pullRequestEnvironment/model.ts';

/** The check of a pull request environment. */
export const lifecycle = subject({
  name: 'pullRequestEnvironment',
  machine: pullRequestEnvironment,
  rules: pullRequestEnvironmentEvents,
  files: { machine: 'machines/pullRequestEnvironment.ts', rules: 'rules/pullRequestEnvironment/events.ts' },
  limits: {
    values: pullRequestLimits,
    rules: (values) => pullRequestEnvironmentEventsWith({ ...pullRequestLimits, ...values }),
  },
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Note: verdictSubject({
      table: pullRequestNote,
      file: 'rules/pullRequestEnvironment/note.ts',
      facts,
      documents: documentsOfNote,
    }),
  },
  model,
});
