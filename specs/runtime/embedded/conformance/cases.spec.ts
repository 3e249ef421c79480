import * as assert from 'uvu/assert';
import { suite } from '../../../support/suite.ts';
import { unless } from '../../../support/unless.ts';
import type { Case } from './cases/case.ts';
import { applying } from './cases/applying.ts';
import { creating } from './cases/creating.ts';
import { listing } from './cases/listing.ts';
import { naming } from './cases/naming.ts';
import { patching } from './cases/patching.ts';
import { removing } from './cases/removing.ts';
import { play } from './play.ts';
import { real as beside, embedded, inMemory, type Subject } from './subjects.ts';
import { differences } from './table.ts';

const spec = suite('a cluster, in memory and embedded');
let real: Subject;
const memory = inMemory();

spec.before(async () => {
  real = await embedded();
});
spec.after(() => real.end());

const isAnswer = (answer: string, wanted: string) =>
  wanted.endsWith('…') ? answer.startsWith(wanted.slice(0, -1)) : answer === wanted;

const told = (answer: string) => (answer === '' ? [] : answer.split('; '));

async function tryOn(subject: Subject, { steps, builds }: Case) {
  const lines = await play(
    subject,
    steps.map(([call]) => call),
  );
  for (const [index, [, wanted]] of steps.entries()) {
    const { asked, answer } = lines[index] ?? { asked: '', answer: '' };
    if (!isAnswer(answer, wanted)) assert.is(answer, wanted, `${subject.name}: ${asked}`);
  }
  const heard = told(lines.find(({ asked }) => asked === 'watch builds from the start')?.answer ?? '');
  if (builds && (heard.length !== builds.length || !builds.every((wanted, at) => isAnswer(heard[at] ?? '', wanted))))
    assert.equal(heard, builds, `${subject.name}: the watch`);
  return lines;
}

for (const one of [...creating, ...applying, ...naming, ...patching, ...removing, ...listing])
  spec(one.title, async () => {
    const inTheMemory = await tryOn(memory, one);
    const inTheReal = await tryOn(real, one);
    assert.is(JSON.stringify(inTheMemory), JSON.stringify(inTheReal), `\n${differences(inTheMemory, inTheReal)}\n`);
  });

spec.run();

/** A cluster beside ours that the same is asked of. */
const judge = process.env['CORE_CONFORMANCE_KUBECONFIG'] ?? '';
const judged = suite('a cluster, in memory and beside ours');
const test = unless(judged, judge === '' ? 'CORE_CONFORMANCE_KUBECONFIG names no cluster' : null);
let other: Subject | null = null;

judged.before(async () => {
  if (judge !== '') other = await beside(judge);
});
judged.after(async () => other?.end());

/** It knows our own kinds alone, and lets them into any namespace. */
const isAboutOurs = ({ steps }: Case) =>
  steps.every(([op]) => op.kind === 'build' && !('meta' in op && op.meta?.['namespace'] !== undefined));

/** What the embedded API does in another way. */
const apart = [
  'a write over another version or another uid is a conflict, and writes nothing',
  'only the very object, in the very version, that was meant is removed',
  'a label selector leaves what it holds for',
];

for (const one of [...creating, ...applying, ...naming, ...patching, ...removing, ...listing].filter(isAboutOurs)) {
  const judging = async () => {
    if (other) await tryOn(other, one);
  };
  if (apart.includes(one.title)) judged.skip(one.title, judging);
  else test(one.title, judging);
}

judged.run();
