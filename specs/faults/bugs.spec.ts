import * as assert from 'uvu/assert';
import { isChosen } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { buildSubject } from './subjects/build.ts';
import { sayPlan } from './plan/plan.ts';
import { bugs } from './bugs/all.ts';
import type { Bug } from './bugs/bug.ts';
import { hunt } from './bugs/hunt.ts';
import { makeHosting, makeReplaceable } from './bugs/hosting.ts';
import { plansFor } from './bugs/order.ts';
import { shownBy } from './bugs/shown.ts';
import { complaints } from './bugs/table.ts';

const spec = suite('planted bugs');
const replaceable = makeReplaceable();
const hosting = makeHosting(replaceable);
spec.after(async () => {
  hosting.end();
  await replaceable.end();
});

spec('planted bugs have unique names, and few of them are undetectable', () => {
  const replacing = bugs.filter(({ plant }) => plant.is === 'replaced');
  assert.is(new Set(bugs.map(({ name }) => name)).size, bugs.length);
  assert.ok(bugs.length >= 100 && replacing.length >= 50, `${bugs.length} bugs, ${replacing.length} in functions`);
  assert.ok(bugs.filter(({ unseen }) => unseen === undefined).length >= 100);
});

/** Whether one of the first plans for a bug reaches it. */
async function isReached(bug: Bug, mostTries: number): Promise<boolean> {
  let tries = 0;
  for await (const plan of plansFor(bug, buildSubject)) {
    if (++tries > mostTries) break;
    if ((await hosting.ask({ bug: bug.name, plan: sayPlan(plan), reference: null })).reached) return true;
  }
  return false;
}

spec('an undetectable planted bug is reached by a plan', async () => {
  for (const bug of bugs)
    if (bug.unseen !== undefined && bug.plant.is === 'replaced') assert.ok(await isReached(bug, 20), bug.name);
});

spec('an unknown planted bug is an error', async () => {
  for (const bug of ['spec set right', 'no such bug'])
    await hosting.ask({ bug, plan: 'build / a pinned commit is built', reference: null }).then(
      () => assert.unreachable(bug),
      (refused: unknown) => assert.match(String(refused), `no bug that replaces a function is called ${bug}`),
    );
});

for (const [at, bug] of bugs.entries())
  if (bug.unseen === undefined && isChosen(at, 40))
    spec(`caught: ${bug.name}: ${bug.text}`, async () => {
      const hunted = await hunt(bug, { subject: buildSubject, mostTries: 60, hosting, first: shownBy(bug) });
      assert.equal(complaints(hunted), []);
    });

spec.run();
