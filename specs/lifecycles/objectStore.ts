import { objectStore } from '../../machines/objectStore.ts';
import { objectStoreEvents } from '../../rules/objectStore/events.ts';
import { objectStoreReady } from '../../rules/objectStore/ready.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents } from './objectStore/documents.ts';
import { facts, invalid, standing } from './objectStore/facts.ts';
import { readyOf } from './objectStore/blockers.ts';
import { model } from './objectStore/model.ts';

/** A bucket of a project, or a server of the cluster on which buckets are made. */
export const lifecycle = subject({
  name: 'objectStore',
  machine: objectStore,
  rules: objectStoreEvents,
  files: { machine: 'machines/objectStore.ts', rules: 'rules/objectStore' },
  acts: [],
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Ready: verdictSubject({
      table: objectStoreReady,
      file: 'rules/objectStore/ready.ts',
      facts: standing,
      documents: readyOf,
    }),
  },
  model,
});
