import { suite } from '../../../support/suite.ts';
import { unless } from '../../../support/unless.ts';
import { streamCases } from './streams/cases.ts';
import { beside, embedded, type Ground, inMemory } from './streams/grounds.ts';

const spec = suite('logs and commands of containers, in memory and embedded');
const judged = suite('logs and commands of containers, in a cluster beside ours');
const judge = process.env['CORE_CONFORMANCE_KUBECONFIG'] ?? '';
const test = unless(judged, judge === '' ? 'CORE_CONFORMANCE_KUBECONFIG names no cluster' : null);
const memory = inMemory();
let real: Ground;
let other: Ground | null = null;

spec.before(async () => {
  real = await embedded();
});
spec.after(() => real.end());
judged.before(() => {
  if (judge !== '') other = beside(judge);
});
judged.after(async () => other?.end());

for (const { title, check } of streamCases) {
  spec(title, async () => {
    for (const ground of [memory, real]) {
      try {
        await check(ground);
      } catch (thrown) {
        if (thrown instanceof Error) thrown.message = `${ground.name}: ${thrown.message}`;
        throw thrown;
      }
    }
  });
  test(title, async () => {
    if (other) await check(other);
  });
}

spec.run();
judged.run();
