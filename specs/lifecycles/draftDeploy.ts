import { draftDeploy } from '../../machines/draftDeploy.ts';
import { draftDeployEvents } from '../../rules/draftDeploy/events.ts';
import { gate } from '../../rules/draftDeploy/gate.ts';
import { reported } from '../../rules/state.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents, gateDocuments, reportedDocuments } from './draftDeploy/documents.ts';
import { facts, gateFacts, invalid, reportedFacts } from './draftDeploy/facts.ts';
import { model } from './draftDeploy/model.ts';

/** The deployed part of a resource. */
export const lifecycle = subject({
  name: 'draftDeploy',
  machine: draftDeploy,
  rules: draftDeployEvents,
  files: { machine: 'machines/draftDeploy.ts', rules: 'rules/draftDeploy' },
  acts: [],
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Gate: verdictSubject({
      table: gate,
      file: 'rules/draftDeploy/gate.ts',
      facts: gateFacts,
      documents: gateDocuments,
    }),
    Reported: verdictSubject({
      table: reported,
      file: 'rules/state.ts',
      facts: reportedFacts,
      documents: reportedDocuments,
    }),
  },
  model,
});
