import * as assert from 'uvu/assert';
import { seed } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import type { Trouble } from './plan/trouble.ts';
import { plansOf, restingSubjects, restless } from './resting.ts';

const spec = suite('faults: takeovers over resting objects');

const restarts: Trouble = { is: 'restarts', seed };
const standBy: Trouble = { is: 'standBy' };

/** How another process comes to lead once everything rests; each path is given the next one of them. */
const takeovers: readonly (readonly Trouble[])[] = [
  [standBy, { is: 'handsOver', by: 'death' }],
  [standBy, { is: 'handsOver', by: 'pause' }],
  [standBy, restarts],
  [{ is: 'twins' }, restarts],
  // What the leader decided before it stood still is written late.
  [standBy, { is: 'stands', at: 1, when: 'before', ms: 240_000 }, restarts],
];
const takeoverAt = (at: number) => takeovers[(at + seed) % takeovers.length] ?? [];

for (const [at, subject] of restingSubjects.entries())
  spec(`${subject.name}: a process that takes over writes and deletes nothing`, async () => {
    const told: string[] = [];
    for (const plan of plansOf(subject, (path) => takeoverAt(path + at))) told.push(...(await restless(plan)));
    assert.equal(told.join('\n'), '');
  });

spec.run();
