import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { readPlan } from './plan/plan.ts';
import { databaseSubject } from './subjects/database.ts';
import { verify } from './verify.ts';

const creation = suite('faults: creations by a command');

const paths = ['a draft is created', 'it is created and deployed'];
const troubles = [
  'dies at=1 when=after',
  'dies at=2 when=before',
  'dies at=2 when=after',
  'dies at=3 when=before',
  'timeOut at=2 for=1 on=write',
  'standBy / dies at=3 when=after',
];

for (const path of paths)
  creation(`KND-048 KND-048a ${path}, whatever comes between that write and the first of its status`, async () => {
    for (const trouble of troubles) {
      const plan = readPlan(`database / ${path} / ${trouble}`, [databaseSubject]);
      if (typeof plan === 'string') throw new Error(plan);
      assert.equal((await verify(plan)).wrong, [], trouble);
    }
  });

creation.run();
