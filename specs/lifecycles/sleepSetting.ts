import { sleepSetting } from '../../machines/sleepSetting.ts';
import { sleepSettingEvents, sleepSettingEventsWith } from '../../rules/sleepSetting/events.ts';
import { sleepLimits } from '../../rules/sleepSetting/facts.ts';
import { sleepMessage } from '../../rules/sleepSetting/message.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents, documentsOfMessage } from './sleepSetting/documents.ts';
import { facts, invalid } from './sleepSetting/facts.ts';
import { model } from './sleepSetting/model.ts';

/** The check of a sleep setting. */
export const lifecycle = subject({
  name: 'sleepSetting',
  machine: sleepSetting,
  rules: sleepSettingEvents,
  files: { machine: 'machines/sleepSetting.ts', rules: 'rules/sleepSetting/events.ts' },
  limits: {
    values: sleepLimits,
    elsewhere: ['pollMs'],
    rules: (values) => sleepSettingEventsWith({ ...sleepLimits, ...values }),
  },
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Message: verdictSubject({
      table: sleepMessage,
      file: 'rules/sleepSetting/message.ts',
      facts,
      documents: documentsOfMessage,
    }),
  },
  model,
});
