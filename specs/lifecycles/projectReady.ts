import { projectReady } from '../../machines/projectReady.ts';
import { projectReadyEvents, projectReadyEventsWith } from '../../rules/projectReady/events.ts';
import { projectReadyLimits } from '../../rules/projectReady/found.ts';
import { projectReadyVerdicts } from '../../rules/projectReady/ready.ts';
import { type Limits, subject, verdictSubject } from '../check/subject.ts';
import { documents, readyDocuments } from './projectReady/documents.ts';
import { facts, invalid, verdictFacts } from './projectReady/facts.ts';
import { model } from './projectReady/model.ts';

/** The Ready condition of a project. */
export const lifecycle = subject({
  name: 'projectReady',
  machine: projectReady,
  rules: projectReadyEvents,
  files: { machine: 'machines/projectReady.ts', rules: 'rules/projectReady' },
  limits: {
    values: projectReadyLimits,
    rules: (values: Limits) => projectReadyEventsWith({ ...projectReadyLimits, ...values }),
  },
  acts: ['provision'],
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Ready: verdictSubject({
      table: projectReadyVerdicts,
      file: 'rules/projectReady/ready.ts',
      facts: verdictFacts,
      documents: readyDocuments,
    }),
  },
  model,
});
