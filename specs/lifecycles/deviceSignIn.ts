import * as fc from 'fast-check';
import { deviceSignIn } from '../../machines/deviceSignIn.ts';
import { type PollSeen, pollAnswer } from '../../rules/deviceSignIn/answer.ts';
import { deviceLimits, deviceSignInEvents, deviceSignInEventsWith } from '../../rules/deviceSignIn/events.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { deviceSignInDocuments, pollAnswerDocuments } from './deviceSignIn/documents.ts';
import { deviceSignInFacts, invalidDeviceSignInFacts } from './deviceSignIn/facts.ts';
import { deviceSignInModel } from './deviceSignIn/model.ts';

const polls: fc.Arbitrary<PollSeen> = fc.record({
  event: fc.constantFrom<PollSeen['event']>(
    'polled',
    'polledTooFast',
    'polledAfterRefusal',
    'polledAfterExpiry',
    'polledAfterIssue',
    'unknownCodePolled',
  ),
});

/** A command line that requests a sign-in. */
export const lifecycle = subject({
  name: 'deviceSignIn',
  machine: deviceSignIn,
  rules: deviceSignInEvents,
  files: { machine: 'machines/deviceSignIn.ts', rules: 'rules/deviceSignIn/events.ts' },
  limits: {
    values: deviceLimits,
    rules: (values) => deviceSignInEventsWith({ ...deviceLimits, ...values }),
  },
  provisional: false,
  facts: deviceSignInFacts,
  invalid: invalidDeviceSignInFacts,
  documents: deviceSignInDocuments,
  verdicts: {
    'Poll answer': verdictSubject({
      table: pollAnswer,
      file: 'rules/deviceSignIn/answer.ts',
      facts: polls,
      documents: pollAnswerDocuments,
    }),
  },
  model: deviceSignInModel,
});
