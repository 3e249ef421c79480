import { dashboardDomainReady } from '../../machines/dashboardDomainReady.ts';
import {
  dashboardDomainEvents,
  dashboardDomainEventsWith,
  dashboardDomainLimits,
} from '../../rules/dashboardDomainReady/events.ts';
import { dashboardDomainVerdicts } from '../../rules/dashboardDomainReady/ready.ts';
import { type Limits, subject, verdictSubject } from '../check/subject.ts';
import { documents, readyDocuments } from './dashboardDomainReady/documents.ts';
import { facts, invalid, verdictFacts } from './dashboardDomainReady/facts.ts';
import { model } from './dashboardDomainReady/model.ts';

/** The condition DashboardDomainReady of the platform configuration. */
export const lifecycle = subject({
  name: 'dashboardDomainReady',
  machine: dashboardDomainReady,
  rules: dashboardDomainEvents,
  files: { machine: 'machines/dashboardDomainReady.ts', rules: 'rules/dashboardDomainReady' },
  limits: {
    values: dashboardDomainLimits,
    rules: (values: Limits) => dashboardDomainEventsWith({ ...dashboardDomainLimits, ...values }),
  },
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    DashboardDomainReady: verdictSubject({
      table: dashboardDomainVerdicts,
      file: 'rules/dashboardDomainReady/ready.ts',
      facts: verdictFacts,
      documents: readyDocuments,
    }),
  },
  model,
});
