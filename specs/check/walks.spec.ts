import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { brokenText, explore } from './explore.ts';
import { arrow, changed, rule } from './mistaken.ts';
import { walk } from './walks.ts';

const spec = suite('walks of machine and table');

spec('machine and table interpreter run in lockstep, and the walk reports where they differ', () => {
  const run = changed(arrow('Active', 'limitReached', { target: 'Closed', actions: 'expire' }));
  const [broken] = walk(run, 2_000).broken;
  assert.match(
    broken?.fault.text ?? '',
    /Active limitReached: the table leads to Expired doing expire, the machine to Closed doing expire/,
  );
  assert.ok((broken?.life.length ?? 0) > 2);
});

spec('an invariant never reached by an undisturbed life is reported with its continuation', () => {
  const run = changed({
    ...rule('terminal-limit-reached', () => null),
    ...rule('limit-reached', () => null),
  });
  const told = explore(run).broken.map((broken) => brokenText(run, broken).text);
  assert.match(told.join('\n'), /eventually endsByItself is never reached, left alone/);
});

spec.run();
