import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { buildSubject } from './subjects/build.ts';
import { bugs } from './bugs/all.ts';
import { hunt } from './bugs/hunt.ts';
import { makeHosting } from './bugs/hosting.ts';
import { placesOf } from './bugs/patchedBundle.ts';
import { shownBy } from './bugs/shown.ts';
import { complaints } from './bugs/table.ts';

const spec = suite('planted bugs');
const hosting = makeHosting();
spec.after(() => hosting.end());

const patches = bugs.flatMap(({ plant }) => (plant.is === 'source' ? plant.patches : []));

spec('there are many bugs, each under its own name, and few that nobody could see', () => {
  assert.is(new Set(bugs.map(({ name }) => name)).size, bugs.length);
  assert.ok(bugs.length >= 60 && patches.length >= 20, `${bugs.length} bugs, ${patches.length} patches`);
  assert.ok(bugs.filter(({ unseen }) => unseen === undefined).length >= 100);
});

spec('the text that a patch replaces stands exactly once in its file', () => {
  assert.equal(
    patches.filter((patch) => placesOf(patch) !== 1),
    [],
  );
});

/** A bundle takes time, so only some of the patches are tried here; `npm run faults -- --bugs` tries all of them. */
const oneOf = 4;
const isTriedHere = (index: number) => bugs[index]?.plant.is === 'around' || index % oneOf === 0;

for (const [index, bug] of bugs.entries())
  if (bug.unseen === undefined && isTriedHere(index))
    spec(`caught: ${bug.name}: ${bug.text}`, async () => {
      const hunted = await hunt(bug, { subject: buildSubject, mostTries: 60, hosting, first: shownBy(bug) });
      assert.equal(complaints(hunted), []);
    });

spec.run();
