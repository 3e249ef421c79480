import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { isChosen } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { readPlan } from './plan/plan.ts';
import { subjects } from './subjects/all.ts';
import { verify } from './verify.ts';

const spec = suite('faults: the plans of RECORD.md');

const record = readFileSync(new URL('RECORD.md', import.meta.url), 'utf8');
/** A plan begins with the name of its subject; some are quoted as the command that runs them. */
const plans = (record.match(/`[^`]+`/g) ?? [])
  .map((code) => code.slice(1, -1).replace(/^npm run faults -- --plan '(.*)'$/, '$1'))
  .filter((text) => /^\w+ \/ /.test(text));

for (const text of plans.filter((_, at) => isChosen(at, 5)))
  spec(`${text} holds`, async () => {
    const plan = readPlan(text, subjects);
    if (typeof plan === 'string') throw new Error(plan);
    assert.equal((await verify(plan)).wrong, []);
  });

spec('the recorded plans can be read', () => assert.ok(plans.length > 10, `${plans.length} plans`));

spec.run();
