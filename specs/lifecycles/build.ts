import { build } from '../../machines/build.ts';
import type { BuildEvent, BuildState } from '../../machines/names.ts';
import { buildEvents } from '../../rules/build/events.ts';
import type { BuildFacts } from '../../rules/build/facts.ts';
import { subject } from '../check/subject.ts';
import { documents } from './build/documents.ts';
import { anyFacts, knownFacts } from './build/facts.ts';
import { type BuildWorld, model } from './build/model.ts';

export const lifecycle = subject<BuildFacts, BuildState, BuildEvent['type'], BuildWorld>({
  name: 'build',
  machine: build,
  rules: buildEvents,
  files: { machine: 'machines/build.ts', rules: 'rules/build/events.ts' },
  acts: ['createJob'],
  provisional: false,
  facts: knownFacts,
  invalid: anyFacts,
  documents,
  model,
});
