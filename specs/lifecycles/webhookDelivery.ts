import { webhookDelivery } from '../../machines/webhookDelivery.ts';
import { deployVerdicts } from '../../rules/deploy/verdict.ts';
import { webhookAddress } from '../../rules/webhookDelivery/address.ts';
import { webhookDeliveryEvents, webhookDeliveryEventsWith } from '../../rules/webhookDelivery/events.ts';
import { deliveryLimits } from '../../rules/webhookDelivery/facts.ts';
import { deliveryOutcome } from '../../rules/webhookDelivery/outcome.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { addresses, documentsOfAddress } from './webhookDelivery/address.ts';
import { deploys, documentsOfDeploy } from './webhookDelivery/deploy.ts';
import { documents, documentsOfOutcome } from './webhookDelivery/documents.ts';
import { facts, invalid } from './webhookDelivery/facts.ts';
import { model } from './webhookDelivery/model.ts';

/** The check of a webhook delivery. */
export const lifecycle = subject({
  name: 'webhookDelivery',
  machine: webhookDelivery,
  rules: webhookDeliveryEvents,
  files: { machine: 'machines/webhookDelivery.ts', rules: 'rules/webhookDelivery/events.ts' },
  limits: {
    values: deliveryLimits,
    rules: (values) => webhookDeliveryEventsWith({ ...deliveryLimits, ...values }),
  },
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Address: verdictSubject({
      table: webhookAddress,
      file: 'rules/webhookDelivery/address.ts',
      facts: addresses,
      documents: documentsOfAddress,
    }),
    Deploy: verdictSubject({
      table: deployVerdicts,
      file: 'rules/deploy/verdict.ts',
      facts: deploys,
      documents: documentsOfDeploy,
    }),
    Outcome: verdictSubject({
      table: deliveryOutcome,
      file: 'rules/webhookDelivery/outcome.ts',
      facts,
      documents: documentsOfOutcome,
    }),
  },
  model,
});
