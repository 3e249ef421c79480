import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { readPlan } from './plan/plan.ts';
import { databaseSubject } from './subjects/database.ts';
import { verify } from './verify.ts';

const late = suite('faults: what is made late');

late('objects that a suspended leader makes for a deleted database are removed', async () => {
  const plan = readPlan('database / it is deleted / standBy / stands at=13 when=before ms=240000', [databaseSubject]);
  if (typeof plan === 'string') throw new Error(plan);
  assert.equal((await verify(plan)).wrong, []);
});

late.run();
