import { deploymentRecord } from '../../machines/deploymentRecord.ts';
import { deploymentRecordEvents, deploymentRecordLimits } from '../../rules/deploymentRecord/events.ts';
import { recordedImage } from '../../rules/deploymentRecord/image.ts';
import { rollbackAnswer } from '../../rules/deploymentRecord/rollback.ts';
import { shownPhase } from '../../rules/deploymentRecord/shownPhase.ts';
import { recordedBy } from '../../rules/deploymentRecord/source.ts';
import { recordedTitle } from '../../rules/deploymentRecord/title.ts';
import type { Message } from '../../rules/words.ts';
import type { VerdictRule } from '../../rules/verdict.ts';
import { subject, verdictSubject, type VerdictSubject } from '../check/subject.ts';
import {
  documents,
  imageDocuments,
  phaseDocuments,
  rollbackDocuments,
  sourceDocuments,
  titleDocuments,
} from './deploymentRecord/documents.ts';
import { facts, invalid, phaseFacts, rollbackFacts, sourceFacts } from './deploymentRecord/facts.ts';
import { model } from './deploymentRecord/model.ts';

const verdict = <Facts>(
  file: string,
  table: readonly VerdictRule<Facts, Message | string>[],
  of: Pick<VerdictSubject<Facts>, 'facts' | 'documents'>,
) => verdictSubject({ table, file: `rules/deploymentRecord/${file}.ts`, ...of });

/** The record of one deploy. */
export const lifecycle = subject({
  name: 'deploymentRecord',
  machine: deploymentRecord,
  rules: deploymentRecordEvents,
  files: { machine: 'machines/deploymentRecord.ts', rules: 'rules/deploymentRecord' },
  limits: {
    values: deploymentRecordLimits,
    elsewhere: ['keptRecords'],
    rules: () => deploymentRecordEvents,
  },
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Image: verdict('image', recordedImage, { facts: sourceFacts, documents: imageDocuments }),
    Title: verdict('title', recordedTitle, { facts: sourceFacts, documents: titleDocuments }),
    Source: verdict('source', recordedBy, { facts: sourceFacts, documents: sourceDocuments }),
    'Shown phase': verdict('shownPhase', shownPhase, { facts: phaseFacts, documents: phaseDocuments }),
    Rollback: verdict('rollback', rollbackAnswer, { facts: rollbackFacts, documents: rollbackDocuments }),
  },
  model,
});
