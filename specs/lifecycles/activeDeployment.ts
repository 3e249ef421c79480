import { activeDeployment } from '../../machines/activeDeployment.ts';
import { activeDeploymentEvents } from '../../rules/activeDeployment/events.ts';
import { health } from '../../rules/activeDeployment/health.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents, healthDocuments } from './activeDeployment/documents.ts';
import { facts, healthFacts, invalid } from './activeDeployment/facts.ts';
import { model } from './activeDeployment/model.ts';

/** The record of the running version of a service. */
export const lifecycle = subject({
  name: 'activeDeployment',
  machine: activeDeployment,
  rules: activeDeploymentEvents,
  files: { machine: 'machines/activeDeployment.ts', rules: 'rules/activeDeployment' },
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Health: verdictSubject({
      table: health,
      file: 'rules/activeDeployment/health.ts',
      facts: healthFacts,
      documents: healthDocuments,
    }),
  },
  model,
});
