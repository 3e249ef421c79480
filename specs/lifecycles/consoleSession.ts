import { consoleSession } from '../../machines/consoleSession.ts';
import { attachAnswer } from '../../rules/consoleSession/attach.ts';
import { createAnswer } from '../../rules/consoleSession/create.ts';
import { consoleSessionEvents, consoleSessionEventsWith } from '../../rules/consoleSession/events.ts';
import { consoleSessionLimits } from '../../rules/consoleSession/limits.ts';
import { type Limits, subject, verdictSubject } from '../check/subject.ts';
import { attachDocuments, createDocuments, documents } from './consoleSession/documents.ts';
import { attachFacts, createFacts, facts, invalid } from './consoleSession/facts.ts';
import { model } from './consoleSession/model.ts';

/** One opened terminal, as the audit trail records it. */
export const lifecycle = subject({
  name: 'consoleSession',
  machine: consoleSession,
  rules: consoleSessionEvents,
  files: { machine: 'machines/consoleSession.ts', rules: 'rules/consoleSession' },
  limits: {
    values: consoleSessionLimits,
    rules: (values: Limits) => consoleSessionEventsWith({ ...consoleSessionLimits, ...values }),
  },
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Create: verdictSubject({
      table: createAnswer,
      file: 'rules/consoleSession/create.ts',
      facts: createFacts,
      documents: createDocuments,
    }),
    Attach: verdictSubject({
      table: attachAnswer,
      file: 'rules/consoleSession/attach.ts',
      facts: attachFacts,
      documents: attachDocuments,
    }),
  },
  model,
});
