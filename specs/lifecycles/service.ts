import { service } from '../../machines/service.ts';
import { serviceEvents } from '../../rules/service/events.ts';
import { serviceReady } from '../../rules/service/ready.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents } from './service/documents.ts';
import { facts, invalid, standing } from './service/facts.ts';
import { readyOf } from './service/blockers.ts';
import { model } from './service/model.ts';

/** What the check of a service needs. */
export const lifecycle = subject({
  name: 'service',
  machine: service,
  rules: serviceEvents,
  files: { machine: 'machines/service.ts', rules: 'rules/service' },
  acts: ['applyWorkload', 'deleteWorkload'],
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Ready: verdictSubject({
      table: serviceReady,
      file: 'rules/service/ready.ts',
      facts: standing,
      documents: readyOf,
    }),
  },
  model,
});
