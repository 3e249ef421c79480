import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { readPlan } from './plan/plan.ts';
import { databaseSubject } from './subjects/database.ts';
import { projectSubject } from './subjects/project.ts';
import { verify } from './verify.ts';

const late = suite('faults: objects created late');

const pausedAt = (at: number) => `standBy / stands at=${at} when=before ms=240000`;
const made: readonly (readonly [what: string, plan: string])[] = [
  ['objects of a deleted database', `database / it is deleted / ${pausedAt(13)}`],
  [
    'the policies of a deleted project',
    `projectReady / a namespace that was there stays when it is deleted / ${pausedAt(5)}`,
  ],
  ['the namespace of a deleted project', `projectReady / it is deleted / ${pausedAt(2)}`],
  ['the namespace of a deleted environment', `projectReady / an environment is deleted / ${pausedAt(3)}`],
];

for (const [what, text] of made)
  late(`an object created late by a suspended leader is removed: ${what}`, async () => {
    const plan = readPlan(text, [databaseSubject, projectSubject]);
    if (typeof plan === 'string') throw new Error(plan);
    assert.equal((await verify(plan)).wrong, []);
  });

late.run();
