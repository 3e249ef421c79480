import * as fc from 'fast-check';
import { nameLockout } from '../../machines/nameLockout.ts';
import { type SignInSeen, signInAnswer } from '../../rules/nameLockout/answer.ts';
import { nameLockoutEvents, nameLockoutEventsWith, nameLockoutLimits } from '../../rules/nameLockout/events.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { nameLockoutDocuments, signInAnswerDocuments } from './nameLockout/documents.ts';
import { invalidNameLockoutFacts, nameLockoutFacts } from './nameLockout/facts.ts';
import { nameLockoutModel } from './nameLockout/model.ts';

const signIns: fc.Arbitrary<SignInSeen> = fc.record({
  event: fc.constantFrom<SignInSeen['event']>(
    'signedIn',
    'failedFirst',
    'failedFirstOfMany',
    'failedAgain',
    'failedFifth',
    'triedWhileLocked',
    'unknownNameTried',
  ),
});

/** Failed sign-ins of one username. */
export const lifecycle = subject({
  name: 'nameLockout',
  machine: nameLockout,
  rules: nameLockoutEvents,
  files: { machine: 'machines/nameLockout.ts', rules: 'rules/nameLockout/events.ts' },
  limits: {
    values: nameLockoutLimits,
    elsewhere: ['lockMs'],
    rules: (values) => nameLockoutEventsWith({ ...nameLockoutLimits, ...values }),
  },
  provisional: false,
  facts: nameLockoutFacts,
  invalid: invalidNameLockoutFacts,
  documents: nameLockoutDocuments,
  verdicts: {
    'Sign-in answer': verdictSubject({
      table: signInAnswer,
      file: 'rules/nameLockout/answer.ts',
      facts: signIns,
      documents: signInAnswerDocuments,
    }),
  },
  model: nameLockoutModel,
});
