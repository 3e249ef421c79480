import { provisionRetry } from '../../machines/provisionRetry.ts';
import {
  provisionRetryEvents,
  provisionRetryEventsWith,
  provisionRetryLimits,
} from '../../rules/provisionRetry/events.ts';
import { type Limits, subject } from '../check/subject.ts';
import { documents } from './provisionRetry/documents.ts';
import { facts, invalid } from './provisionRetry/facts.ts';
import { model } from './provisionRetry/model.ts';

/** The counted-failure rule of every provisioned kind. */
export const lifecycle = subject({
  name: 'provisionRetry',
  machine: provisionRetry,
  rules: provisionRetryEvents,
  files: { machine: 'machines/provisionRetry.ts', rules: 'rules/provisionRetry' },
  limits: {
    values: provisionRetryLimits,
    rules: (values: Limits) => provisionRetryEventsWith({ ...provisionRetryLimits, ...values }),
  },
  acts: [],
  provisional: false,
  facts,
  invalid,
  documents,
  model,
});
