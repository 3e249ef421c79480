import * as assert from 'uvu/assert';
import { joint as database } from '../../lifecycles/joint/database.ts';
import { joint as databaseBackup } from '../../lifecycles/joint/databaseBackup.ts';
import { joint as project } from '../../lifecycles/joint/project.ts';
import { isWhole, seed, times } from '../../support/share.ts';
import { suite } from '../../support/suite.ts';
import { joints } from './all.ts';
import { exploreJoint, walkJoint } from './explore.ts';
import { joinedText, brokenLife } from './text.ts';

const spec = suite('random lives of joint machines');

for (const of of joints) {
  spec(`the machines of one ${of.name} keep their invariants in random lives`, () => {
    const broken = walkJoint(of, { seed, lives: times(300, 100), steps: 60 });
    assert.is(broken, null, broken ? `${brokenLife(broken)}\nseed ${seed}` : '');
  });
}

const small = isWhole ? [project, databaseBackup] : [project];

spec('small joint models are searched completely, and larger ones up to a limit, without violations', () => {
  for (const of of joints) {
    const most = small.includes(of) ? of.budget.worlds : times(12_000, 4_000);
    const joined = exploreJoint(of, most);
    assert.equal(joined.broken, [], joinedText(joined));
    assert.is(joined.searched.exhaustive, small.includes(of), joinedText(joined));
  }
});

spec('random lives are equal for equal seeds and find a violation', () => {
  const walked = walkJoint(
    {
      ...database,
      invariants: {
        endless: { holds: 'It is never Ready.', never: (at) => (at as { phase: string }).phase === 'Ready' },
      },
    },
    { seed: 7, lives: 300, steps: 60 },
  );
  assert.ok(walked);
  const again = walkJoint(
    {
      ...database,
      invariants: {
        endless: { holds: 'It is never Ready.', never: (at) => (at as { phase: string }).phase === 'Ready' },
      },
    },
    { seed: 7, lives: 300, steps: 60 },
  );
  assert.equal(again, walked);
});

spec.run();
