import { token } from '../../machines/token.ts';
import { tokenAccess } from '../../rules/token/access.ts';
import { tokenEvents, tokenEventsWith, tokenLimits } from '../../rules/token/events.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { accessDocuments, tokenDocuments } from './token/documents.ts';
import { accesses, invalidTokenFacts, tokenFacts } from './token/facts.ts';
import { tokenModel } from './token/model.ts';

/** An API token. */
export const lifecycle = subject({
  name: 'token',
  machine: token,
  rules: tokenEvents,
  files: { machine: 'machines/token.ts', rules: 'rules/token/events.ts' },
  limits: { values: tokenLimits, rules: (values) => tokenEventsWith({ ...tokenLimits, ...values }) },
  provisional: false,
  facts: tokenFacts,
  invalid: invalidTokenFacts,
  documents: tokenDocuments,
  verdicts: {
    Access: verdictSubject({
      table: tokenAccess,
      file: 'rules/token/access.ts',
      facts: accesses,
      documents: accessDocuments,
    }),
  },
  model: tokenModel,
});
