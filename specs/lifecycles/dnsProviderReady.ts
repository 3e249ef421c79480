import { dnsProviderReady } from '../../machines/dnsProviderReady.ts';
import { dnsProviderEvents } from '../../rules/dnsProviderReady/events.ts';
import { dnsProviderVerdicts } from '../../rules/dnsProviderReady/ready.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents, readyDocuments } from './dnsProviderReady/documents.ts';
import { facts, invalid, verdictFacts } from './dnsProviderReady/facts.ts';
import { model } from './dnsProviderReady/model.ts';

/** The condition DnsProviderReady of the platform configuration. */
export const lifecycle = subject({
  name: 'dnsProviderReady',
  machine: dnsProviderReady,
  rules: dnsProviderEvents,
  files: { machine: 'machines/dnsProviderReady.ts', rules: 'rules/dnsProviderReady' },
  acts: ['publish'],
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    DnsProviderReady: verdictSubject({
      table: dnsProviderVerdicts,
      file: 'rules/dnsProviderReady/ready.ts',
      facts: verdictFacts,
      documents: readyDocuments,
    }),
  },
  model,
});
